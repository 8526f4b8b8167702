import { z } from 'zod'
import { isStrictBase64 } from './inline-photo.js'
import { PHOTO_LIMITS } from './photo-limits.js'

/** Where a photo is: at a URL, or in the request itself. */
export type PhotoReference = { kind: 'remote'; url: URL } | { kind: 'inline'; base64: string }

/** What is wrong with a reference; the text completes "user.photos[0]: …". */
interface Refused {
  kind: 'refused'
  problem: string
}

const INLINE_PREFIX = /^data:image\/(?:jpeg|png|webp|avif|gif);base64,/i
const LONGEST_INLINE_PREFIX = 'data:image/jpeg;base64,'.length
const LOWEST_UNPRIVILEGED_PORT = 1_024

/**
 * One photo reference in a request body: an `https:` or `http:` URL, or a `data:` URL with base64. Parses the string to a
 * `PhotoReference`; issues never repeat it. Whether `http:` is allowed and whether the bytes are an image is checked when the
 * photo is loaded.
 */
export const photoReferenceSchema = z
  .string()
  .meta({
    description: 'An `https:` URL, or a `data:` URL with base64.',
    format: 'uri',
    pattern:
      '^(?:https://[A-Za-z0-9]|data:image/(?:jpeg|png|webp|avif|gif);base64,[A-Za-z0-9+/]{4})',
  })
  .transform((reference, context): PhotoReference => {
    const parsed = /^data:/i.test(reference) ? parseInline(reference) : parsePhotoUrl(reference)
    if (parsed.kind !== 'refused') return parsed
    context.addIssue({ code: 'custom', message: parsed.problem })
    return z.NEVER
  })

function parseInline(reference: string): PhotoReference | Refused {
  // The expression sees only a prefix, never megabytes of payload.
  const prefix = INLINE_PREFIX.exec(reference.slice(0, LONGEST_INLINE_PREFIX))?.[0]
  if (prefix === undefined) {
    return refused('must be a data: URL of image/jpeg, png, webp, avif or gif in base64')
  }
  const base64 = reference.slice(prefix.length)
  if (!isStrictBase64(base64)) return refused('must be a data: URL with valid, padded base64')
  return { kind: 'inline', base64 }
}

/** The rules for URLs alone; redirects are held to them as well. */
export function parsePhotoUrl(reference: string): PhotoReference | Refused {
  if (reference.length > PHOTO_LIMITS.maxUrlLength) {
    return refused(`must be a URL of at most ${PHOTO_LIMITS.maxUrlLength} characters`)
  }
  // The URL parser drops white space and control characters silently.
  // eslint-disable-next-line no-control-regex
  if (/[\s\u0000-\u001f\u007f]/.test(reference) || !URL.canParse(reference)) {
    return refused('must be a URL')
  }
  const url = new URL(reference)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refused('must be an https: or data: URL')
  }
  if (url.username !== '' || url.password !== '') {
    return refused('must be a URL without a user name or password')
  }
  if (!isPhotoPort(url.port)) {
    return refused(`must be a URL with the default port or one from ${LOWEST_UNPRIVILEGED_PORT} up`)
  }
  return { kind: 'remote', url }
}

/**
 * Photo hosts use the default port; object stores and development servers use high ones. Low ports belong to mail, shells and
 * file shares. `''` is the default port.
 */
function isPhotoPort(port: string): boolean {
  return port === '' || port === '443' || port === '80' || Number(port) >= LOWEST_UNPRIVILEGED_PORT
}

function refused(problem: string): Refused {
  return { kind: 'refused', problem }
}
