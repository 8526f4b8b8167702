{{/* What a schema cannot say. Each message says what to change. */}}
{{- define "pis.validate" -}}
{{- $values := .Values -}}
{{- if and (include "pis.isSqlite" .) (or (gt (int $values.replicaCount) 1) $values.autoscaling.enabled) -}}
{{- fail "A SQLite database belongs to one server. Set replicaCount: 1 and autoscaling.enabled: false, or database.type: postgresql." -}}
{{- end -}}
{{- if and (eq $values.models.source "claim") (not $values.models.existingClaim) -}}
{{- fail "models.source: claim needs models.existingClaim." -}}
{{- end -}}
{{- if and $values.autoscaling.enabled (not $values.autoscaling.cpuPercent) (not $values.autoscaling.waitingRequests.enabled) -}}
{{- fail "autoscaling.enabled needs a metric: set autoscaling.cpuPercent, or autoscaling.waitingRequests.enabled." -}}
{{- end -}}
{{- if and $values.autoscaling.enabled (gt (int $values.autoscaling.minReplicas) (int $values.autoscaling.maxReplicas)) -}}
{{- fail "autoscaling.minReplicas must not be above autoscaling.maxReplicas." -}}
{{- end -}}
{{- range $name, $engine := dict "language" $values.language "vision" $values.vision -}}
{{- if and (eq $engine.mode "url") (not $engine.urls) -}}
{{- fail (printf "%s.mode: url needs %s.urls." $name $name) -}}
{{- end -}}
{{- end -}}
{{- if and (ne $values.language.mode "embedded") (ne $values.language.engine "llama-server") (not $values.language.model) -}}
{{- fail (printf "language.engine: %s needs language.model, the name under which it serves the model." $values.language.engine) -}}
{{- end -}}
{{- if and (eq $values.language.mode "server") (not (or $values.language.server.image.tag $values.language.server.image.digest)) -}}
{{- fail "language.mode: server needs language.server.image.tag or digest, so that an upgrade of the engine is a decision." -}}
{{- end -}}
{{- if and (eq $values.vision.mode "server") (not $values.vision.apiKey.existingSecret) -}}
{{- fail "vision.mode: server needs vision.apiKey.existingSecret, which workers and replicas share." -}}
{{- end -}}
{{- if ne (empty $values.oidc.issuer) (empty $values.oidc.clientId) -}}
{{- fail "oidc needs issuer and clientId, or neither." -}}
{{- end -}}
{{- end -}}
