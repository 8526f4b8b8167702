import { ServiceError } from '../core/service-error.js'
import { PHOTO_LIMITS } from './photo-limits.js'

/** What can be wrong with a photo; each text completes a sentence that begins with the photo's field. */
const PROBLEM_TEXTS = {
  unreachable: 'could not be fetched',
  address_refused: 'is at an address that photos may not be fetched from',
  redirect_refused: 'redirects to a URL that is not accepted',
  too_many_redirects: `redirects more than ${PHOTO_LIMITS.maxRedirects} times`,
  timeout: 'did not arrive in time',
  too_large: `is larger than ${PHOTO_LIMITS.maxBytes / (1024 * 1024)} MB`,
  not_an_image: 'is not a JPEG, PNG, WebP, AVIF or GIF image',
  undecodable: 'could not be decoded',
  http_not_allowed: 'is an http: URL, and this server only accepts https: and data: URLs',
} as const

export type PhotoProblem = keyof typeof PROBLEM_TEXTS

/**
 * One photo cannot be used. Holds no URL and no cause: network errors name hosts, and errors of got hold the whole request.
 */
export class PhotoError extends Error {
  readonly problem: PhotoProblem

  /** @param detail - a status or an error code, from a fixed vocabulary */
  constructor(problem: PhotoProblem, detail?: string) {
    super(detail === undefined ? PROBLEM_TEXTS[problem] : `${PROBLEM_TEXTS[problem]} (${detail})`)
    this.name = 'PhotoError'
    this.problem = problem
  }
}

/**
 * The error that a partner reads about one photo: `photo_unavailable`, or `invalid_request` about its URL.
 * @param label - field of the request, such as `recipient.photos`
 */
export function photoServiceError(error: PhotoError, label: string, index: number): ServiceError {
  const code = error.problem === 'http_not_allowed' ? 'invalid_request' : 'photo_unavailable'
  return new ServiceError(code, `${label}[${index}] ${error.message}.`)
}
