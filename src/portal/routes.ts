import {
  changeOwnPassword,
  disconnectSingleSignOn,
  endAllSessions,
  switchOrganization,
} from './pages/account/change-account.js'
import {
  beginAddingPasskey,
  finishAddingPasskey,
  removeOwnPasskey,
} from './pages/account/change-passkeys.js'
import { showAccount } from './pages/account/show-account.js'
import { showDevelopers } from './pages/developers/show-developers.js'
import {
  acceptAsNewcomer,
  acceptAsOwnerOfAddress,
  acceptWithOwnAccount,
} from './pages/invitation/accept-by-form.js'
import {
  acceptAsMember,
  openInvitation,
  openOldInvitation,
  showInvitation,
} from './pages/invitation/show-invitation.js'
import {
  createKeyByForm,
  endOldSecret,
  revokeKeyByForm,
  rotateKeyByForm,
} from './pages/keys/change-keys.js'
import { showAudit, showKey, showKeys, showNewKey } from './pages/keys/show-keys.js'
import {
  changeMemberRole,
  inviteMember,
  removeOtherMember,
  withdrawMemberInvitation,
} from './pages/members/change-members.js'
import { showMembers } from './pages/members/show-members.js'
import {
  downloadStyles,
  downloadTones,
  downloadWeeks,
  showOpeners,
} from './pages/openers/show-openers.js'
import {
  downloadCapabilities,
  downloadLatency,
  downloadOutcomes,
  downloadRequests,
  showOverview,
} from './pages/overview/show-overview.js'
import {
  openOldPasswordReset,
  openPasswordReset,
  setNewPassword,
  showPasswordReset,
} from './pages/password-reset/show-password-reset.js'
import { createPlaygroundKey, showPlayground } from './pages/playground/show-playground.js'
import { downloadCohorts, showRetention } from './pages/retention/show-retention.js'
import { beginPasskeySignIn, finishPasskeySignIn } from './pages/sign-in/passkey-sign-in.js'
import { showSignIn, signIn, signOut } from './pages/sign-in/show-sign-in.js'
import { beginSingleSignOn, endSingleSignOn } from './pages/sign-in/single-sign-on.js'
import {
  changeControlShare,
  changeLearningState,
  resetLearning,
} from './pages/what-works/change-learning.js'
import {
  downloadLearnedStyles,
  downloadWeeksByArm,
  showWhatWorks,
} from './pages/what-works/show-what-works.js'
import { member, open, type PortalRoute } from './route.js'

/** Every route of the portal with the lowest role that may use it. */
export const PORTAL_ROUTES: readonly PortalRoute[] = [
  open('GET /sign-in', showSignIn),
  open('POST /sign-in', signIn),
  open('POST /sign-in/passkey/options', beginPasskeySignIn),
  open('POST /sign-in/passkey', finishPasskeySignIn),
  open('GET /sign-in/sso', beginSingleSignOn),
  open('GET /sign-in/sso/callback', endSingleSignOn),
  member('viewer', 'POST /sign-out', signOut),
  open('GET /invitation', openInvitation),
  open('POST /invitation', showInvitation),
  open('POST /invitation/new-account', acceptAsNewcomer),
  open('POST /invitation/existing-account', acceptWithOwnAccount),
  open('POST /invitation/address', acceptAsOwnerOfAddress),
  member('viewer', 'POST /invitation/join', acceptAsMember),
  open('GET /invitation/:token', openOldInvitation),
  open('GET /reset', openPasswordReset),
  open('POST /reset', showPasswordReset),
  open('POST /reset/password', setNewPassword),
  open('GET /reset/:token', openOldPasswordReset),

  member('viewer', 'GET /', showOverview),
  member('viewer', 'GET /overview/requests.csv', downloadRequests),
  member('viewer', 'GET /overview/capabilities.csv', downloadCapabilities),
  member('viewer', 'GET /overview/latency.csv', downloadLatency),
  member('viewer', 'GET /overview/outcomes.csv', downloadOutcomes),
  member('viewer', 'GET /openers', showOpeners),
  member('viewer', 'GET /openers/styles.csv', downloadStyles),
  member('viewer', 'GET /openers/tones.csv', downloadTones),
  member('viewer', 'GET /openers/weeks.csv', downloadWeeks),
  member('viewer', 'GET /what-works', showWhatWorks),
  member('viewer', 'GET /what-works/weeks.csv', downloadWeeksByArm),
  member('viewer', 'GET /what-works/styles.csv', downloadLearnedStyles),
  member('owner', 'POST /what-works/state', changeLearningState),
  member('owner', 'POST /what-works/control-share', changeControlShare),
  member('owner', 'POST /what-works/reset', resetLearning),
  member('viewer', 'GET /retention', showRetention),
  member('viewer', 'GET /retention/cohorts.csv', downloadCohorts),

  member('owner', 'GET /members', showMembers),
  member('owner', 'POST /members/invitations', inviteMember),
  member('owner', 'POST /members/invitations/:invitationId/withdraw', withdrawMemberInvitation),
  member('owner', 'POST /members/:accountId/role', changeMemberRole),
  member('owner', 'POST /members/:accountId/remove', removeOtherMember),

  member('viewer', 'GET /account', showAccount),
  member('viewer', 'POST /account/password', changeOwnPassword),
  member('viewer', 'POST /account/sign-out-everywhere', endAllSessions),
  member('viewer', 'POST /account/disconnect', disconnectSingleSignOn),
  member('viewer', 'POST /account/passkeys/options', beginAddingPasskey),
  member('viewer', 'POST /account/passkeys', finishAddingPasskey),
  member('viewer', 'POST /account/passkeys/:passkeyId/remove', removeOwnPasskey),
  member('viewer', 'POST /account/organization', switchOrganization),

  member('viewer', 'GET /keys', showKeys),
  member('developer', 'GET /keys/new', showNewKey),
  member('developer', 'POST /keys', createKeyByForm),
  member('viewer', 'GET /keys/audit', showAudit),
  member('viewer', 'GET /keys/:keyId', showKey),
  member('developer', 'POST /keys/:keyId/rotate', rotateKeyByForm),
  member('developer', 'POST /keys/:keyId/end-old-secret', endOldSecret),
  member('developer', 'POST /keys/:keyId/revoke', revokeKeyByForm),

  member('viewer', 'GET /playground', showPlayground),
  member('developer', 'POST /playground/key', createPlaygroundKey),

  member('viewer', 'GET /developers', showDevelopers),
]
