{{/* Init container that fetches model packs into the volume `models`. */}}
{{- define "pis.modelsPull" -}}
{{- $pull := .Values.models.pull -}}
- name: models
  image: {{ include "pis.image" (list $pull.image .Chart.AppVersion) }}
  imagePullPolicy: {{ $pull.image.pullPolicy }}
  args: {{ concat (list "pull") $pull.packs | toJson }}
  env:
    - { name: MODELS_DIR, value: /volume }
    - { name: MODELS_OFFLINE, value: 'false' }
    # pip keeps its cache there.
    - { name: HOME, value: /tmp }
    {{- range $name, $value := .Values.settings }}
    {{- if or (hasSuffix "_PACK" $name) (eq $name "HF_ENDPOINT") }}
    - { name: {{ $name }}, value: {{ toString $value | quote }} }
    {{- end }}
    {{- end }}
    {{- if $pull.hubToken.existingSecret }}
    - name: HF_TOKEN
      valueFrom: { secretKeyRef: { name: {{ $pull.hubToken.existingSecret }}, key: {{ $pull.hubToken.key | quote }} } }
    {{- end }}
  securityContext: {{- include "pis.containerSecurity" . | nindent 4 }}
  resources: {{- toYaml $pull.resources | nindent 4 }}
  volumeMounts:
    - { name: models, mountPath: /volume }
    - { name: tmp, mountPath: /tmp }
{{- end -}}

{{- define "pis.modelsVolume" -}}
{{- if eq .Values.models.source "claim" }}
- name: models
  persistentVolumeClaim: { claimName: {{ .Values.models.existingClaim }}, readOnly: true }
{{- else if eq .Values.models.source "pull" }}
- name: models
  emptyDir: { sizeLimit: {{ .Values.models.pull.sizeLimit }} }
{{- end }}
{{- end -}}

{{- define "pis.modelsMount" -}}
{{- if ne .Values.models.source "image" }}
- { name: models, mountPath: /app/models, readOnly: true }
{{- end }}
{{- end -}}
