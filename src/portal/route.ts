import type { Role } from '../accounts/role.js'
import type { RouteReply } from './reply.js'
import type { MemberVisit, Visit } from './visit.js'

type Handle<V> = (visit: V) => Promise<RouteReply> | RouteReply

interface OpenRoute {
  access: 'anyone'
  handle: Handle<Visit>
}

interface MemberRoute {
  /** The lowest role that may use the route. */
  access: Role
  handle: Handle<MemberVisit>
}

/** A path below `/portal`, in Express' pattern syntax, and who may use it. */
export type PortalRoute = { method: 'get' | 'post'; path: string } & (OpenRoute | MemberRoute)

/** Such as `GET /keys`. */
type Target = `${'GET' | 'POST'} /${string}`

/** A route that is open to everybody, signed in or not. */
export function open(target: Target, handle: Handle<Visit>): PortalRoute {
  return { ...parseTarget(target), access: 'anyone', handle }
}

/** A route for members with the role `lowest` or a higher one; others are refused before `handle` is called. */
export function member(lowest: Role, target: Target, handle: Handle<MemberVisit>): PortalRoute {
  return { ...parseTarget(target), access: lowest, handle }
}

function parseTarget(target: Target): Pick<PortalRoute, 'method' | 'path'> {
  const [method, path = '/'] = target.split(' ')
  return { method: method === 'GET' ? 'get' : 'post', path }
}
