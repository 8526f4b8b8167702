import { environmentSchema } from '../../../config/environment-schema.js'
import { containersOf, podsOf, type KubernetesObject } from './kubernetes-object.js'

/** Containers that run another program than the service. */
const FOREIGN = new Set(['language', 'test'])
/** Variables of the system that a container of the service needs. */
const OF_THE_SYSTEM = new Set(['HOME'])
/** Stands for the value of a secret. */
const SECRET_VALUE = 'a-secret-of-the-cluster'

/** Lists variables that containers of the service get and that it does not read, and values that it refuses. */
export function findWrongVariables(objects: readonly KubernetesObject[]): string[] {
  return podsOf(objects)
    .flatMap(({ spec }) => containersOf(spec))
    .filter(({ name }) => !FOREIGN.has(name))
    .flatMap(({ name, env = [] }) => {
      const variables = Object.fromEntries(
        env.map((variable) => [variable.name, variable.value ?? SECRET_VALUE]),
      )
      return [...unknownNames(variables), ...refusedValues(variables)].map(
        (problem) => `container ${name}: ${problem}`,
      )
    })
}

/** Names of the variables of a replica that the chart sets itself, whatever `settings` says. */
export function variablesOfServer(
  objects: readonly KubernetesObject[],
  settings: readonly string[],
): string[] {
  const server = podsOf(objects)
    .flatMap(({ spec }) => spec.containers)
    .find(({ name }) => name === 'server')
  const names = (server?.env ?? []).map(({ name }) => name)
  return names.filter((name) => !settings.includes(name))
}

function unknownNames(variables: Record<string, string>): string[] {
  return Object.keys(variables)
    .filter((name) => !(name in environmentSchema.shape))
    .filter((name) => !OF_THE_SYSTEM.has(name))
    .map((name) => `${name} is no setting of the service`)
}

function refusedValues(variables: Record<string, string>): string[] {
  const { error } = environmentSchema.safeParse(variables)
  return (error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`)
}
