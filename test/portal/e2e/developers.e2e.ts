import type { Browser } from 'playwright-core'
import { startPortal, type Member, type Portal } from '../_portal.js'
import { joinLumenDating } from './_lumen-dating.js'
import { expectGoodPage, openBrowser, openTab, screenshot, WIDTHS } from './_browser.js'

let portal: Portal
let browser: Browser
let member: Member
beforeAll(async () => {
  portal = await startPortal()
  member = await joinLumenDating(portal, 'viewer')
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await portal?.close()
})

describe.each(WIDTHS)('the page for developers on a %s', (width) => {
  it('shows the base URL and code in three languages, ready to copy', async () => {
    const tab = await openTab(browser, { baseUrl: portal.baseUrl, width, member })
    const { page } = tab
    await page.goto('/portal/developers')
    await page.getByText(portal.baseUrl, { exact: true }).waitFor()
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    for (const [language, text] of [
      ['Python', 'import urllib.request'],
      ['TypeScript', 'createProfileClient'],
      ['curl', 'curl -s'],
    ] as const) {
      await page.getByRole('radio', { name: language }).first().check()
      const code = page.getByRole('region', { name: `Openers in ${language}` })
      await code.waitFor()
      expect(await page.getByRole('region', { name: /^Openers in/ }).count()).toBe(1)
      await code.locator('..').getByRole('button', { name: 'Copy' }).click()
      await code.locator('..').getByRole('button', { name: 'Copied' }).waitFor()
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      expect(copied).toContain(text)
      expect(copied).toContain(portal.baseUrl)
    }
    await expectGoodPage(tab)
    await screenshot(tab, 'developers')
    await tab.close()
  })

  it('leads to the documentation of the calls', async () => {
    const tab = await openTab(browser, { baseUrl: portal.baseUrl, width, member })
    await tab.page.goto('/portal/developers')
    await tab.page.getByRole('link', { name: 'All fields' }).first().click()
    await tab.page.getByText('openers come one by one as server-sent events').waitFor()
    await tab.close()
  })
})
