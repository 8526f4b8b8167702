import {
  containersOf,
  matchesLabels,
  podsOf,
  type KubernetesObject,
  type NetworkPeer,
  type NetworkRule,
  type Pod,
} from './kubernetes-object.js'

const COMPONENT = 'app.kubernetes.io/component'

/**
 * Describes all traffic that the network policies allow, one line for each peer of a rule, sorted: `server → anywhere, TCP 5432`.
 * Pods are named by their component.
 */
export function describeTraffic(objects: readonly KubernetesObject[]): string[] {
  const lines = policiesOf(objects).flatMap(({ spec }) => {
    const own = componentOf(spec.podSelector?.matchLabels)
    const allowed = (rules: NetworkRule[] | undefined, arrow: string) =>
      (rules ?? []).flatMap((rule) =>
        (rule.from ?? rule.to ?? [{}]).map(
          (peer) => `${own} ${arrow} ${describePeer(peer)}, ${describePorts(rule)}`,
        ),
      )
    return [...allowed(spec.ingress, '←'), ...allowed(spec.egress, '→')]
  })
  return [...new Set(lines)].sort()
}

/** Lists pods that no policy closes, rules that lead to no pod or port of the release, and Services without pods. */
export function findLooseEnds(objects: readonly KubernetesObject[]): string[] {
  const pods = podsOf(objects)
  return [
    ...pods.flatMap((pod) => openDirections(pod, objects)),
    ...policiesOf(objects).flatMap((policy) => deadRules(policy, pods)),
    ...servicesWithoutPods(objects, pods),
    ...monitorsWithoutService(objects),
  ]
}

function openDirections({ labels }: Pod, objects: readonly KubernetesObject[]): string[] {
  const closed = policiesOf(objects)
    .filter(({ spec }) => matchesLabels(spec.podSelector?.matchLabels ?? {}, labels))
    .flatMap(({ spec }) => spec.policyTypes ?? [])
  return ['Ingress', 'Egress']
    .filter((direction) => !closed.includes(direction))
    .map((direction) => `${componentOf(labels)}: no policy restricts ${direction}`)
}

/** Rules between pods of the release: both ends exist, and the one that is called listens on the port. */
function deadRules({ metadata, spec }: KubernetesObject, pods: readonly Pod[]): string[] {
  const own = pods.filter(({ labels }) =>
    matchesLabels(spec.podSelector?.matchLabels ?? {}, labels),
  )
  const problems = own.length === 0 ? [`NetworkPolicy ${metadata.name} selects no pod`] : []
  for (const { from, ports = [] } of spec.ingress ?? []) {
    for (const { port } of ports) {
      if (from && !own.some((pod) => listensOn(pod, port)))
        problems.push(`NetworkPolicy ${metadata.name} opens port ${port}, on which nothing listens`)
    }
  }
  for (const { to = [], ports = [] } of spec.egress ?? []) {
    for (const { podSelector, namespaceSelector } of to) {
      if (!podSelector || namespaceSelector) continue
      const called = pods.filter((pod) => matchesLabels(podSelector.matchLabels ?? {}, pod.labels))
      if (!ports.every(({ port }) => called.some((pod) => listensOn(pod, port))))
        problems.push(`NetworkPolicy ${metadata.name} leads to pods that are not there`)
    }
  }
  return problems
}

function servicesWithoutPods(objects: readonly KubernetesObject[], pods: readonly Pod[]): string[] {
  return objects
    .filter(({ kind }) => kind === 'Service')
    .flatMap(({ metadata, spec }) => {
      const selected = pods.filter((pod) =>
        matchesLabels((spec.selector ?? {}) as Record<string, string>, pod.labels),
      )
      const names = selected.flatMap((pod) =>
        containersOf(pod.spec).flatMap(({ ports = [] }) => ports.map(({ name }) => name)),
      )
      return (spec.ports ?? [])
        .filter(({ targetPort }) => !names.includes(targetPort))
        .map(({ name }) => `Service ${metadata.name}: no pod has its port ${name}`)
    })
}

function monitorsWithoutService(objects: readonly KubernetesObject[]): string[] {
  const services = objects.filter(({ kind }) => kind === 'Service')
  return objects
    .filter(({ kind }) => kind === 'ServiceMonitor')
    .flatMap(({ metadata, spec }) => {
      const { matchLabels = {} } = spec.selector as { matchLabels?: Record<string, string> }
      const ports = services
        .filter((service) => matchesLabels(matchLabels, service.metadata.labels))
        .flatMap((service) => (service.spec.ports ?? []).map(({ name }) => name))
      return (spec.endpoints ?? [])
        .filter(({ port }) => !ports.includes(port))
        .map(({ port }) => `ServiceMonitor ${metadata.name}: no Service has its port ${port}`)
    })
}

function policiesOf(objects: readonly KubernetesObject[]): KubernetesObject[] {
  return objects.filter(({ kind }) => kind === 'NetworkPolicy')
}

function listensOn({ spec }: Pod, port: number): boolean {
  return containersOf(spec).some(({ ports = [] }) =>
    ports.some(({ containerPort }) => containerPort === port),
  )
}

function describePeer({ podSelector, namespaceSelector, ipBlock }: NetworkPeer): string {
  if (ipBlock) {
    const { cidr, except = [] } = ipBlock
    return except.length === 0 ? cidr : `${cidr} except ${except.join(' ')}`
  }
  if (!podSelector && !namespaceSelector) return 'anywhere'
  const pods = podSelector ? describeLabels(podSelector.matchLabels) : 'all pods'
  return namespaceSelector ? `${pods} in ${describeLabels(namespaceSelector.matchLabels)}` : pods
}

function describeLabels(labels: Record<string, string> = {}): string {
  return labels[COMPONENT] ?? (Object.values(labels).join(' ') || 'all')
}

function componentOf(labels: Record<string, string> = {}): string {
  return labels[COMPONENT] ?? 'every pod'
}

function describePorts({ ports }: NetworkRule): string {
  if (!ports) return 'all ports'
  return ports.map(({ protocol, port }) => `${protocol} ${port}`).join(' ')
}
