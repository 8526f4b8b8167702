/** A link with a secret. Fragments stay out of the requests of browsers, and so out of the logs of proxies. */
export function secretLink(base: string, path: `/portal/${string}`, token: string): string {
  return `${base}${path}#${token}`
}
