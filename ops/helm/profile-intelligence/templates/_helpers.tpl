{{/* Name of the objects. */}}
{{- define "pis.name" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels that select the pods of a component. Arguments: root context, component. */}}
{{- define "pis.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ $root.Chart.Name }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* All labels of an object. Arguments: root context, component. */}}
{{- define "pis.labels" -}}
{{- $root := index . 0 -}}
{{ include "pis.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version }}
{{- end -}}

{{/* Reference of an image. Arguments: values of the image, default tag. */}}
{{- define "pis.image" -}}
{{- $image := index . 0 -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $image.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $image.repository (default (index . 1) $image.tag) -}}
{{- end -}}
{{- end -}}

{{- define "pis.isSqlite" -}}
{{- if eq .Values.database.type "sqlite" }}true{{ end -}}
{{- end -}}

{{- define "pis.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
# Secrets and volumes become readable for this group.
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "pis.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Parts of every pod. */}}
{{- define "pis.podBasics" -}}
automountServiceAccountToken: false
# Otherwise a Service called "metrics" in this namespace would set METRICS_PORT.
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* A file of a Secret as a source of a projected volume, mode 0440 (288). Arguments: reference, name of the file. */}}
{{- define "pis.secretFile" -}}
{{- $reference := index . 0 -}}
- secret:
    name: {{ $reference.existingSecret }}
    items: [{ key: {{ $reference.key | quote }}, path: {{ index . 1 }}, mode: 288 }]
{{- end -}}

{{/* URLs of the language engine, separated by commas. Empty: embedded. */}}
{{- define "pis.languageUrls" -}}
{{- $language := .Values.language -}}
{{- if eq $language.mode "url" -}}
{{- join "," $language.urls -}}
{{- else if eq $language.mode "server" -}}
{{- include "pis.memberUrls" (list (printf "%s-language" (include "pis.name" .)) $language.server) -}}
{{- end -}}
{{- end -}}

{{- define "pis.visionUrls" -}}
{{- $vision := .Values.vision -}}
{{- if eq $vision.mode "url" -}}
{{- join "," $vision.urls -}}
{{- else if eq $vision.mode "server" -}}
{{- include "pis.memberUrls" (list (printf "%s-vision" (include "pis.name" .)) $vision.server) -}}
{{- end -}}
{{- end -}}

{{/* One URL for each pod of a StatefulSet, so that a replica chooses the least busy one. Arguments: name, values of the server. */}}
{{- define "pis.memberUrls" -}}
{{- $name := index . 0 -}}
{{- $server := index . 1 -}}
{{- $urls := list -}}
{{- range $index := until (int $server.replicaCount) -}}
{{- $urls = append $urls (printf "http://%s-%d.%s:%d" $name $index $name (int $server.port)) -}}
{{- end -}}
{{- join "," $urls -}}
{{- end -}}

{{/* Ports of a list of URLs as ports of a NetworkPolicy. */}}
{{- define "pis.urlPorts" -}}
{{- $ports := list -}}
{{- range . -}}
{{- $url := urlParse . -}}
{{- $default := ternary "443" "80" (eq $url.scheme "https") -}}
{{- $ports = append $ports (regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) | default $default | int) -}}
{{- end -}}
{{- range $ports | uniq }}
- { protocol: TCP, port: {{ . }} }
{{- end -}}
{{- end -}}
