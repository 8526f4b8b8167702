import type { Browser } from 'playwright-core'
import { countAttempt } from '../../../src/accounts/sign-in-attempts.js'
import { startPortal, type Portal } from '../_portal.js'
import { expectGoodPage, openBrowser, openTab, screenshot, WIDTHS } from './_browser.js'

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

describe.each(WIDTHS)('signing in on a %s', (width) => {
  it('leads to the requested page, and signs out again', async () => {
    const member = await portal.addMember('viewer')
    const tab = await openTab(browser, { baseUrl: portal.baseUrl, width })
    const { page } = tab
    await page.goto('/portal?env=test')
    expect(new URL(page.url()).pathname).toBe('/portal/sign-in')
    await expectGoodPage(tab)
    await screenshot(tab, 'sign-in')
    await page.getByLabel('Sign-in name or e-mail address').fill(member.email)
    await page.getByLabel('Password').fill(member.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(new URL(page.url()).search).toBe('?env=test')
    await expectGoodPage(tab)

    if (width === 'phone') await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    await page.goto('/portal')
    expect(new URL(page.url()).pathname).toBe('/portal/sign-in')
    await tab.close()
  })

  it('reports a wrong password, and keeps the name', async () => {
    const member = await portal.addMember('viewer')
    const tab = await openTab(browser, { baseUrl: portal.baseUrl, width })
    const { page } = tab
    await page.goto('/portal/sign-in')
    await page.getByLabel('Sign-in name or e-mail address').fill(member.email)
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The name or the password is wrong.').waitFor()
    expect(await page.getByLabel('Sign-in name or e-mail address').inputValue()).toBe(member.email)
    await expectGoodPage(tab)
    await tab.close()
  })

  it('says how long to wait after too many wrong passwords', async () => {
    const member = await portal.addMember('viewer')
    const now = portal.context.clock()
    for (let attempt = 0; attempt < 10; attempt++) {
      await countAttempt(portal.context, {
        account: member.accountId,
        address: '127.0.0.1',
        browser: undefined,
        now,
      })
    }
    const tab = await openTab(browser, { baseUrl: portal.baseUrl, width })
    const { page } = tab
    await page.goto('/portal/sign-in')
    await page.getByLabel('Sign-in name or e-mail address').fill(member.email)
    await page.getByLabel('Password').fill(member.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('Too many attempts. Wait 15 minutes').waitFor()
    await expectGoodPage(tab)
    await tab.close()
  })
})
