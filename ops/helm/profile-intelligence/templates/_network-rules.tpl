{{- define "pis.dnsRule" -}}
- to: {{- toYaml .Values.networkPolicy.egress.dns.to | nindent 4 }}
  ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end -}}

{{- define "pis.databaseRule" -}}
- ports:
    - { protocol: TCP, port: {{ .Values.networkPolicy.egress.database.port }} }
  {{- with .Values.networkPolicy.egress.database.to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* Public addresses only, whatever the service itself refuses to fetch. */}}
{{- define "pis.photosRule" -}}
{{- $photos := .Values.networkPolicy.egress.photos -}}
- to:
    - ipBlock: { cidr: 0.0.0.0/0, except: {{ toJson $photos.except }} }
    # Global unicast: no private, link-local or mapped addresses.
    - ipBlock: { cidr: '2000::/3' }
  ports:
    {{- range $photos.ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end -}}

{{/* To a hub, from an init container that pulls models. */}}
{{- define "pis.hubRule" -}}
- to:
    - ipBlock: { cidr: 0.0.0.0/0, except: {{ toJson .Values.networkPolicy.egress.photos.except }} }
    - ipBlock: { cidr: '2000::/3' }
  ports:
    - { protocol: TCP, port: 443 }
{{- end -}}

{{/* Arguments: peers, URLs. */}}
{{- define "pis.urlsRule" -}}
- ports: {{- include "pis.urlPorts" (index . 1) | nindent 4 }}
  {{- with index . 0 }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* To the pods of a component of this release. Arguments: root context, component, port. */}}
{{- define "pis.memberRule" -}}
- to:
    - podSelector:
        matchLabels: {{- include "pis.selector" (list (index . 0) (index . 1)) | nindent 10 }}
  ports:
    - { protocol: TCP, port: {{ index . 2 }} }
{{- end -}}
