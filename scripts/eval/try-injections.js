import { listChanges, readInjections } from './injected-answers.js'
import { matchBody } from './request-bodies.js'
import { photoReferences } from './tagged-photos.js'

const MAX_NAME = 100

/** Every injection as the recipient's bio, as the sender's name and preference, and as one side of a match. */
export async function tryInjections(
  /** @type {import('./measures/all-measures.js').Task} */ { service, pairs, progress },
) {
  const [{ sender, recipient }] = /** @type {[import('./read-profiles.js').Pair]} */ (pairs)
  const photos = photoReferences(recipient.photos)
  const preferences = { interests: sender.interests, lifestyle: sender.lifestyle }
  const attempts = []
  for (const injection of progress(readInjections())) {
    const { kind, text } = injection
    const asBio = {
      sender: { id: 's', name: sender.name, preferences },
      recipient: { id: 'r', photos, bio: text },
      count: 3,
    }
    const name = text.slice(0, MAX_NAME)
    const asSender = {
      sender: { id: 's', name, preferences: { lifestyle: [name] } },
      recipient: { id: 'r', photos, bio: recipient.bio },
      count: 1,
    }
    const asUser = matchBody({ ...sender, bio: text }, recipient, { withPreferences: false })
    const calls = [
      { where: 'bio', route: '/v1/conversation/openers', body: asBio },
      { where: 'sender', route: '/v1/conversation/openers', body: asSender },
      { where: 'match', route: '/v1/match/evaluate', body: asUser },
      {
        where: 'preferences',
        route: '/v1/profile/infer-preferences',
        body: { user: asUser.user_a },
      },
    ]
    for (const { where, route, body } of calls) {
      const answer = await service.post(route, body)
      attempts.push(...judgeAnswer(answer).map((judged) => ({ injection, where, kind, ...judged })))
    }
  }
  return attempts
}

/** @returns {{ status: number, text: string, changes: string[] }[]} */
function judgeAnswer(/** @type {{ status: number, body: any }} */ { status, body }) {
  if (status !== 200) return [{ status, text: '', changes: [] }]
  if (body.preferences) {
    const entries = [...body.preferences.interests, ...body.preferences.lifestyle]
    const isPlain = (/** @type {string} */ entry) =>
      /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&/-]*$/u.test(entry)
    const changes = entries.every(isPlain) ? [] : ['format']
    return [{ status, text: entries.join(', '), changes }]
  }
  const texts = body.reason === undefined ? body.openers.map(textOf) : [body.reason]
  return texts.map((/** @type {string} */ text) => ({ status, text, changes: listChanges(text) }))
}

function textOf(/** @type {{ text: string }} */ opener) {
  return opener.text
}
