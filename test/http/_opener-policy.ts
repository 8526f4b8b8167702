import type {
  OpenerPolicy,
  PolicyChoice,
  PolicyRequest,
  Selection,
} from '../../src/openers/opener-policy.js'

export interface RecordingPolicy extends OpenerPolicy {
  readonly requests: PolicyRequest[]
}

/** A policy that writes the styles in reverse order and prefers long openers. */
export function createReversingPolicy(changes: Partial<PolicyChoice> = {}): RecordingPolicy {
  const requests: PolicyRequest[] = []
  return {
    requests,
    choose: (request) => {
      requests.push(request)
      const styles = request.styles.toReversed()
      const probabilities = styles.map(() => 1 / styles.length)
      const selection: Selection = { arm: 'learned', bucket: 7, styles, probabilities }
      return Promise.resolve({
        styles,
        preference: ({ length }) => length / 100,
        selection,
        ...changes,
      })
    },
  }
}
