import { ServiceError } from '../core/service-error.js'
import { PHOTO_LIMITS } from './photo-limits.js'

/** What can be wrong with a photo, as the rest of a sentence that begins with its place in the request. */
const PROBLEM_TEXTS = {
  unreachable: 'could not be fetched',
  address_refused: 'is at an address that photos may not be fetched from',
  redirect_refused: 'redirects to a URL that is not accepted',
  too_many_redirects: `redirects more than ${PHOTO_LIMITS.maxRedirects} times`,
  timeout: 'did not arrive in time',
  too_large: `is larger than ${PHOTO_LIMITS.maxBytes / (1024 * 1024)} MB`,
  not_an_image: 'is not a JPEG, PNG, WebP, AVIF or GIF image',
  undecodable: 'could not be decoded',
  malformed: 'is neither an https: URL nor a data: URL with an image in base64',
  http_not_allowed: 'is an http: URL, and this server only accepts https: and data: URLs',
} as const

export type PhotoProblem = keyof typeof PROBLEM_TEXTS

/** Problems that show in the reference itself, before anything is loaded. */
const SHAPE_PROBLEMS: ReadonlySet<PhotoProblem> = new Set(['malformed', 'http_not_allowed'])

/**
 * One photo cannot be used. Carries nothing of the photo's URL and no cause: errors of the network name
 * hosts, and those of got hold the whole request.
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
 * The error a partner reads about one photo: `photo_unavailable`, or `invalid_request` about its URL.
 * @param label - where the photos stand in the request, such as `recipient.photos`
 */
export function photoServiceError(error: PhotoError, label: string, index: number): ServiceError {
  const code = SHAPE_PROBLEMS.has(error.problem) ? 'invalid_request' : 'photo_unavailable'
  return new ServiceError(code, `${label}[${index}] ${error.message}.`)
}
