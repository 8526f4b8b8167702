import { ERROR_STATUS, type ErrorCode } from '../core/service-error.js'
import { ERROR_MEANINGS } from './error-meanings.js'
import { CAPABILITIES } from '../organizations/capability.js'

/** The text above the calls, in Markdown: the rules that hold for every call. */
export const API_INTRODUCTION = `Preferences, match scores and openers from photos and bios, computed by models that run on this host.

## Conventions

- **Keys.** Send \`Authorization: Bearer sk_<env>_<secret>\`. Test keys (\`sk_test_\`) and live keys (\`sk_live_\`) have quotas and
  limits of their own. After a rotation the old secret works for another 24 hours.
- **Synthetic data.** Where photos cannot be fetched, content is unsafe or a model is missing, a test key gets invented data
  and the header \`X-Service-Synthetic: true\` instead of the error.
- **Explanations.** With a test key and \`X-Service-Explain: true\`, the calls that use models add \`explain\`: what was
  measured, weighed and rejected on the way. Synthetic answers and replays of answers without it have none. With a live key the
  header is refused. Explanations follow how answers are made, so that their fields may change with a release.
- **Photos** are \`https:\` URLs, or \`data:\` URLs with the photo inside.
- **Texts** have the lengths that the calls state. Characters that stand for several (Unicode NFKC) may make a text twice as long
  as that, and no longer.
- **Quota.** Only a 200 is charged. The \`X-Service-Quota-*\` headers report usage and what the plan includes, for the capability
  and the month (UTC).
- **Retries.** Send \`X-Idempotency-Key\` with a UUID and repeat the same request on a network error, 429 \`rate_limited\`, 500 or
  503, after the seconds that \`Retry-After\` says. It is carried out and charged once.
- **Versions.** Within \`/v1\`, fields, error codes and enum values may be added and nothing is taken away. Ignore what you do
  not know.

## Errors

Every error has the body \`{ error, message, request_id }\`. Rely on the code; the message is for people.

<details><summary>All error codes</summary>

${errorTable()}

</details>
`

function errorTable(): string {
  const rows = (Object.keys(ERROR_STATUS) as ErrorCode[]).map((code) => {
    const { meaning, calls } = ERROR_MEANINGS[code]
    return `| ${ERROR_STATUS[code]} | \`${code}\` | ${meaning} | ${listCalls(calls)} |`
  })
  return ['| Status | Code | Meaning | Calls |', '|---|---|---|---|', ...rows].join('\n')
}

function listCalls(calls: readonly string[]): string {
  if (calls.length === CAPABILITIES.length) return 'all'
  if (calls.length === 0) return 'other paths and methods'
  return calls.map((call) => `\`${call}\``).join(', ')
}
