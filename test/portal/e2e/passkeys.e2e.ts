import type { Browser } from 'playwright-core'
import { startPortal, type Portal } from '../_portal.js'
import { expectGoodPage, openBrowser, openTab, WIDTHS } from './_browser.js'

let portal: Portal
let browser: Browser

beforeAll(async () => {
  portal = await startPortal()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await portal?.close()
})

describe.each(WIDTHS)('a passkey on a %s', (width) => {
  it('is added on the account page, and signs in', async () => {
    const member = await portal.addMember('owner')
    // Browsers allow passkeys on localhost, but not at an IP address.
    const baseUrl = portal.baseUrl.replace('127.0.0.1', 'localhost')
    const tab = await openTab(browser, { baseUrl, width, member })
    const { page } = tab
    const devtools = await tab.context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto('/portal/account')
    await page.getByRole('textbox', { name: 'Your password' }).fill('not the password')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The password is wrong.').waitFor()
    await page.getByRole('textbox', { name: 'Your password' }).fill(member.password)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey is added.').waitFor()
    await expectGoodPage(tab)

    await tab.context.clearCookies()
    await page.goto('/portal/keys')
    await expectGoodPage(tab)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
    await tab.close()
  })
})
