import type { Browser } from 'playwright-core'
import { createInvitation } from '../../../src/accounts/invitation.js'
import { startIdentityProvider, type LocalProvider } from '../_identity-provider.js'
import { startPortal, type Portal } from '../_portal.js'
import { expectGoodPage, openBrowser, openTab, screenshot, WIDTHS } from './_browser.js'

let provider: LocalProvider
let portal: Portal
let browser: Browser

beforeAll(async () => {
  provider = await startIdentityProvider()
  const env = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'portal',
    OIDC_LABEL: 'Lumen ID',
  }
  portal = await startPortal({ env, organizationName: 'Lumen Dating' })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await portal?.close()
  await provider?.close()
})

describe.each(WIDTHS)('single sign-on on a %s', (width) => {
  it('accepts an invitation, and signs in again without a password', async () => {
    const email = `ada.${width}@lumen.example`
    provider.person = { sub: `ada-${width}`, email, email_verified: true }
    const act = { actor: 'cli:tester', now: portal.context.clock() }
    const invitation = { organizationId: portal.organizationId, role: 'developer' } as const
    const { token } = await createInvitation(portal.context, invitation, act)
    const { baseUrl } = portal
    const tab = await openTab(browser, { baseUrl, width, allowedOrigins: [provider.issuer] })
    const { page } = tab
    await page.goto(`/portal/invitation#${token}`)
    await page.getByRole('link', { name: 'Continue with Lumen ID' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    await page.context().clearCookies()
    await page.goto('/portal/account')
    await expectGoodPage(tab)
    await screenshot(tab, 'sign-in-single-sign-on')
    await page.getByRole('link', { name: 'Continue with Lumen ID' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await page.getByText('Your account is connected with Lumen ID.').waitFor()
    await expectGoodPage(tab)
    await tab.close()
  })

  it('says why somebody is refused', async () => {
    provider.person = {
      sub: `stranger-${width}`,
      email: 'stranger@lumen.example',
      email_verified: true,
    }
    const { baseUrl } = portal
    const tab = await openTab(browser, { baseUrl, width, allowedOrigins: [provider.issuer] })
    await tab.page.goto('/portal/sign-in')
    await tab.page.getByRole('link', { name: 'Continue with Lumen ID' }).click()
    await tab.page.getByRole('heading', { name: 'You are not invited yet' }).waitFor()
    await expectGoodPage(tab)
    await tab.close()
  })
})
