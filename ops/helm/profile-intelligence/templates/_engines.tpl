{{/* One pod of an engine at a time leaves for maintenance. Arguments: root context, component. */}}
{{- define "pis.enginesBudget" }}
{{- $root := index . 0 }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "pis.name" $root }}-{{ index . 1 }}
  labels: {{- include "pis.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "pis.selector" . | nindent 6 }}
{{- end }}
