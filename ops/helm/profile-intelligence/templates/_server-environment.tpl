{{/* Variables of a replica. Those with a value of the chart of their own are refused in `settings` by the schema. */}}
{{- define "pis.serverEnvironment" -}}
{{- $values := .Values -}}
- { name: HOST, value: 0.0.0.0 }
- { name: PORT, value: '8080' }
- { name: METRICS_PORT, value: '9464' }
- { name: LOG_FORMAT, value: json }
# A cluster may run the image as a user whom it does not know; llama.cpp's binding needs a home all the same.
- { name: HOME, value: /tmp }
- { name: MODELS_DIR, value: /app/models }
- { name: MODELS_OFFLINE, value: 'true' }
- { name: SHUTDOWN_GRACE_MS, value: {{ mul 1000 $values.shutdown.graceSeconds | quote }} }
{{- if include "pis.isSqlite" . }}
- { name: DATA_DIR, value: /data }
{{- else }}
# Not writable: a first key in one replica's folder would be lost with it.
- { name: DATA_DIR, value: /app/data }
- { name: DATABASE_URL_FILE, value: /run/secrets/service/database-url }
- { name: DATABASE_POOL, value: {{ $values.database.pool | quote }} }
- { name: SERVER_SECRET_FILE, value: /run/secrets/service/server-secret }
- { name: MIGRATIONS, value: {{ ternary "never" "start" $values.migrations.job }} }
{{- end }}
{{- if $values.plans }}
- { name: PLANS_FILE, value: /etc/profile-intelligence/plans.json }
{{- end }}
{{- with $values.publicUrl }}
- { name: PUBLIC_URL, value: {{ . | quote }} }
{{- end }}
{{- with $values.trustedProxies }}
- { name: TRUST_PROXY, value: {{ join "," . | quote }} }
{{- end }}
{{- if $values.oidc.issuer }}
- { name: OIDC_ISSUER, value: {{ $values.oidc.issuer | quote }} }
- { name: OIDC_CLIENT_ID, value: {{ $values.oidc.clientId | quote }} }
{{- with $values.oidc.clientSecret }}
{{- if .existingSecret }}
- name: OIDC_CLIENT_SECRET
  valueFrom: { secretKeyRef: { name: {{ .existingSecret }}, key: {{ .key | quote }} } }
{{- end }}
{{- end }}
{{- end }}
{{- with include "pis.languageUrls" . }}
- { name: LANGUAGE_URL, value: {{ . | quote }} }
- { name: LANGUAGE_ENGINE, value: {{ $values.language.engine }} }
{{- with $values.language.model }}
- { name: LANGUAGE_MODEL, value: {{ . | quote }} }
{{- end }}
{{- with $values.language.concurrency }}
- { name: LANGUAGE_CONCURRENCY, value: {{ . | quote }} }
{{- end }}
{{- if $values.language.apiKey.existingSecret }}
- { name: LANGUAGE_API_KEY_FILE, value: /run/secrets/service/language-api-key }
{{- end }}
{{- end }}
{{- with include "pis.visionUrls" . }}
- { name: VISION_URL, value: {{ . | quote }} }
- { name: VISION_PROTOCOL, value: {{ ternary "worker" $values.vision.protocol (eq $values.vision.mode "server") }} }
{{- with $values.vision.concurrency }}
- { name: VISION_CONCURRENCY, value: {{ . | quote }} }
{{- end }}
{{- if $values.vision.apiKey.existingSecret }}
- { name: VISION_API_KEY_FILE, value: /run/secrets/service/vision-api-key }
{{- end }}
{{- end }}
{{- range $name, $value := $values.settings }}
- { name: {{ $name }}, value: {{ toString $value | quote }} }
{{- end }}
{{- end -}}

{{/* Sources of the projected volume with the secrets of a replica. */}}
{{- define "pis.serverSecrets" -}}
{{- if not (include "pis.isSqlite" .) }}
{{ include "pis.secretFile" (list .Values.database.url "database-url") }}
{{ include "pis.secretFile" (list .Values.serverSecret "server-secret") }}
{{- end }}
{{- if and (include "pis.languageUrls" .) .Values.language.apiKey.existingSecret }}
{{ include "pis.secretFile" (list .Values.language.apiKey "language-api-key") }}
{{- end }}
{{- if and (include "pis.visionUrls" .) .Values.vision.apiKey.existingSecret }}
{{ include "pis.secretFile" (list .Values.vision.apiKey "vision-api-key") }}
{{- end }}
{{- end -}}
