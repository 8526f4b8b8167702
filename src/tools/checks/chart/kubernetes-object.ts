import { parseAllDocuments } from 'yaml'

export interface LabelSelector {
  matchLabels?: Record<string, string>
}

export interface NetworkPeer {
  podSelector?: LabelSelector
  namespaceSelector?: LabelSelector
  ipBlock?: { cidr: string; except?: string[] }
}

export interface NetworkRule {
  from?: NetworkPeer[]
  to?: NetworkPeer[]
  ports?: { protocol: string; port: number }[]
}

export interface Container {
  name: string
  image: string
  args?: string[]
  env?: { name: string; value?: string; valueFrom?: unknown }[]
  ports?: { name: string; containerPort: number }[]
}

export interface PodSpec {
  containers: Container[]
  initContainers?: Container[]
}

/** The parts of rendered objects that are checked; which of them an object has depends on its kind. */
export interface KubernetesObject {
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
  spec: {
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec }
    podSelector?: LabelSelector
    selector?: Record<string, string> | LabelSelector
    policyTypes?: string[]
    ingress?: NetworkRule[]
    egress?: NetworkRule[]
    endpoints?: { port: string }[]
    ports?: { name: string; port: number; targetPort: string }[]
  } & Partial<PodSpec>
}

/** A pod that some object creates. */
export interface Pod {
  labels: Record<string, string>
  spec: PodSpec
}

/** Parses the output of `helm template`. */
export function parseObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null)
}

/** The pods of Deployments, StatefulSets and Jobs, and those that stand alone. */
export function podsOf(objects: readonly KubernetesObject[]): Pod[] {
  return objects.flatMap(({ kind, metadata, spec }) => {
    if (spec?.template) return [{ labels: spec.template.metadata.labels, spec: spec.template.spec }]
    if (kind === 'Pod') return [{ labels: metadata.labels ?? {}, spec: spec as PodSpec }]
    return []
  })
}

export function containersOf({ containers, initContainers = [] }: PodSpec): Container[] {
  return [...initContainers, ...containers]
}

/** An empty selector matches everything. */
export function matchesLabels(
  selected: Record<string, string>,
  labels: Record<string, string> = {},
): boolean {
  return Object.entries(selected).every(([name, value]) => labels[name] === value)
}
