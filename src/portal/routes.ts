import { showOverview } from './pages/overview.js'
import { showSignIn, signIn, signOut } from './pages/sign-in.js'
import { member, open, type PortalRoute } from './route.js'

/** Every route of the portal: who may use it stands beside what it does. */
export const PORTAL_ROUTES: readonly PortalRoute[] = [
  open('GET /sign-in', showSignIn),
  open('POST /sign-in', signIn),
  member('viewer', 'POST /sign-out', signOut),

  member('viewer', 'GET /', showOverview),
]
