import { findWrongVariables } from '../../src/tools/checks/chart/check-variables.js'
import { describeTraffic, findLooseEnds } from '../../src/tools/checks/chart/describe-traffic.js'
import { parseObjects } from '../../src/tools/checks/chart/kubernetes-object.js'

const component = (name: string) => `{ app.kubernetes.io/component: ${name} }`

/** A pod of a component that listens on 8080 and has some variables. */
function pod(name: string, env = '[]'): string {
  const container = `{ name: ${name}, image: i, env: ${env}, ports: [{ name: http, containerPort: 8080 }] }`
  return `
kind: Pod
metadata: { name: ${name}, labels: ${component(name)} }
spec: { containers: [${container}] }
---`
}

/** A policy of a component with rules in the form of YAML. */
function policy(name: string, rules: { ingress?: string; egress?: string } = {}): string {
  const { ingress = '[]', egress = '[]' } = rules
  return `
kind: NetworkPolicy
metadata: { name: ${name} }
spec:
  podSelector: { matchLabels: ${component(name)} }
  policyTypes: [Ingress, Egress]
  ingress: ${ingress}
  egress: ${egress}
---`
}

const toServer = (port: number) =>
  `[{ to: [{ podSelector: { matchLabels: ${component('server')} } }], ports: [{ protocol: TCP, port: ${port} }] }]`

describe('the check of the chart', () => {
  it('describes what network policies allow', () => {
    const ingress = `[{ from: [{ namespaceSelector: { matchLabels: { name: edge } } }], ports: [{ protocol: TCP, port: 8080 }] }]`
    const egress = `[{ to: [{ ipBlock: { cidr: 0.0.0.0/0, except: [10.0.0.0/8] } }], ports: [{ protocol: TCP, port: 443 }] }, { ports: [{ protocol: TCP, port: 5432 }] }]`
    const objects = parseObjects(policy('server', { ingress, egress }))
    expect(describeTraffic(objects)).toEqual([
      'server ← all pods in edge, TCP 8080',
      'server → 0.0.0.0/0 except 10.0.0.0/8, TCP 443',
      'server → anywhere, TCP 5432',
    ])
  })

  it('describes a rule without ports and peers as what it is', () => {
    const objects = parseObjects(policy('server', { egress: '[{}]' }))
    expect(describeTraffic(objects)).toEqual(['server → anywhere, all ports'])
  })

  it('accepts pods that policies close, with rules that lead to pods', () => {
    const objects = parseObjects(
      pod('server') + policy('server') + pod('test') + policy('test', { egress: toServer(8080) }),
    )
    expect(findLooseEnds(objects)).toEqual([])
  })

  it('finds a pod that no policy closes', () => {
    const objects = parseObjects(pod('server') + policy('other'))
    expect(findLooseEnds(objects)).toEqual([
      'server: no policy restricts Ingress',
      'server: no policy restricts Egress',
      'NetworkPolicy other selects no pod',
    ])
  })

  it('finds a rule that leads to a port on which nothing listens', () => {
    const objects = parseObjects(
      pod('server') + policy('server') + pod('test') + policy('test', { egress: toServer(9999) }),
    )
    expect(findLooseEnds(objects)).toEqual(['NetworkPolicy test leads to pods that are not there'])
  })

  it('finds a Service and a ServiceMonitor whose ports nobody has', () => {
    const service = `
kind: Service
metadata: { name: api, labels: ${component('server')} }
spec: { selector: ${component('server')}, ports: [{ name: http, port: 80, targetPort: web }] }
---
kind: ServiceMonitor
metadata: { name: metrics }
spec: { selector: { matchLabels: ${component('server')} }, endpoints: [{ port: metrics }] }
---`
    const objects = parseObjects(pod('server') + policy('server') + service)
    expect(findLooseEnds(objects)).toEqual([
      'Service api: no pod has its port http',
      'ServiceMonitor metrics: no Service has its port metrics',
    ])
  })

  it('finds variables that the service does not read, and values that it refuses', () => {
    const env = '[{ name: PROT, value: "8080" }, { name: PORT, value: http }]'
    expect(findWrongVariables(parseObjects(pod('server', env)))).toEqual([
      'container server: PROT is no setting of the service',
      'container server: PORT: must be a whole number',
    ])
  })

  it('takes the value of a secret for a value', () => {
    const env = '[{ name: METRICS_TOKEN, valueFrom: { secretKeyRef: { name: s, key: k } } }]'
    expect(findWrongVariables(parseObjects(pod('server', env)))).toEqual([])
  })

  it('leaves the variables of engines alone', () => {
    const env = '[{ name: LLAMA_API_KEY, value: k }]'
    expect(findWrongVariables(parseObjects(pod('language', env)))).toEqual([])
  })
})
