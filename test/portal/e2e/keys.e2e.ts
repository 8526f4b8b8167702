import type { Browser, Page } from 'playwright-core'
import { createKey } from '../../../src/organizations/api-key.js'
import { CAPABILITIES } from '../../../src/organizations/capability.js'
import { startPortal, type Member, type Portal } from '../_portal.js'
import { joinLumenDating, LUMEN_KEYS } from './_lumen-dating.js'
import { expectGoodPage, openBrowser, openTab, screenshot, WIDTHS, type Tab } from './_browser.js'

const HOUR_MS = 3_600_000

let portal: Portal
let browser: Browser
/** The clock of the service, which tests advance. */
let now: number

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(async () => {
  now = Date.UTC(2026, 10, 22, 2, 10)
  portal = await startPortal({ clock: () => now })
})
afterEach(() => portal?.close())

describe.each(WIDTHS)('keys on a %s', (width) => {
  let tab: Tab
  let page: Page
  let member: Member
  beforeEach(async () => {
    member = await joinLumenDating(portal, 'developer')
    await signIn(member)
  })
  afterEach(() => tab.close())

  async function signIn(as: Member) {
    tab = await openTab(browser, { baseUrl: portal.baseUrl, width, member: as })
    page = tab.page
  }

  async function issueKey(name = 'Backend', environment: 'live' | 'test' = 'live') {
    const { organizationId } = member
    const input = { organizationId, name, environment, capabilities: CAPABILITIES }
    return createKey(portal.context, input, { actor: 'cli:tester', now })
  }

  async function isAccepted(apiKey: string) {
    const response = await fetch(`${portal.baseUrl}/v1/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: '[]',
    })
    return response.status !== 401
  }

  const shownSecret = () => page.locator('[data-one-time-secret] code').innerText()

  it('are created in a form, and their secret is shown once', async () => {
    await page.goto('/portal/keys')
    await page.getByText('No live keys').waitFor()
    await expectGoodPage(tab)
    await page.getByRole('link', { name: 'Create a key' }).click()
    await page.getByLabel('Name').fill('Checkout service')
    await page.getByRole('radio', { name: /^live/ }).check()
    await page.getByRole('checkbox', { name: /Infer preferences/ }).uncheck()
    await expectGoodPage(tab)
    await screenshot(tab, 'key-new')
    await page.getByRole('button', { name: 'Create the key' }).click()

    await page.getByRole('heading', { name: 'The secret of “Checkout service”' }).waitFor()
    const secret = await shownSecret()
    expect(await isAccepted(secret)).toBe(true)
    await expectGoodPage(tab)
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy the secret' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)

    await page.reload()
    await page.getByRole('heading', { name: 'Checkout service' }).waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.goBack()
    expect(await page.content()).not.toContain(secret)
  })

  it('say what is wrong with a form, and keep what was entered', async () => {
    await page.goto('/portal/keys/new')
    await page.getByLabel('Name').fill('Nothing allowed')
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.getByRole('alert').getByText('A key needs at least one of').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Nothing allowed')
    await expectGoodPage(tab)
  })

  it('are rotated, and the page counts down to the end of the old secret', async () => {
    const { keyId, apiKey: old } = await issueKey()
    await page.goto(`/portal/keys/${keyId}`)
    await expectGoodPage(tab)
    await screenshot(tab, 'key')
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByRole('dialog', { name: 'Rotate the key “Backend”?' }).waitFor()
    await expectGoodPage(tab)
    await page.getByRole('button', { name: 'Rotate the key' }).click()

    await page.getByText('23 Nov 2026, 02:10 UTC').waitFor()
    const fresh = await shownSecret()
    expect([await isAccepted(old), await isAccepted(fresh)]).toEqual([true, true])
    await expectGoodPage(tab)
    await page.getByText('I have stored it').click()

    const countdown = page.getByRole('timer')
    expect(await countdown.innerText()).toMatch(/^2[34] h/)
    const before = await countdown.innerText()
    await page.waitForFunction(
      (text) => document.querySelector('[role=timer]')?.textContent !== text,
      before,
    )
    await screenshot(tab, 'key-rotated')
    await page.getByRole('button', { name: 'End the old secret now' }).click()
    await page.getByRole('dialog', { name: 'End the old secret of “Backend” now?' }).waitFor()
    await page.getByRole('button', { name: 'End the old secret', exact: true }).click()
    await page.getByText('The old secret has ended.').waitFor()
    expect([await isAccepted(old), await isAccepted(fresh)]).toEqual([false, true])
  })

  it('show whether the old secret is still in use', async () => {
    const { keyId, apiKey: old } = await issueKey()
    await rotateInBrowser(keyId)
    await page.goto(`/portal/keys/${keyId}`)
    await page.getByText('No use of the old secret was seen after the rotation.').waitFor()
    now += HOUR_MS
    await isAccepted(old)
    await page.reload()
    await page.getByText('The old secret was used after the rotation').waitFor()
    await expectGoodPage(tab)
  })

  it('are revoked after a confirmation that names them', async () => {
    const { keyId, apiKey } = await issueKey('Old importer', 'test')
    await page.goto(`/portal/keys/${keyId}`)
    await page.getByRole('button', { name: 'Revoke now' }).click()
    await page.getByRole('dialog', { name: 'Revoke the test key “Old importer”?' }).waitFor()
    await screenshot(tab, 'key-revoke')
    await page.getByRole('button', { name: 'Revoke “Old importer”' }).click()
    await page.getByText('The key is revoked').waitFor()
    expect(await isAccepted(apiKey)).toBe(false)
    await expectGoodPage(tab)
    await page.goto('/portal/keys')
    await page.getByText('Ended keys (1)').click()
    await page.getByRole('link', { name: 'Old importer' }).first().waitFor()
  })

  it('say who was first when two people rotate at once', async () => {
    const { keyId } = await issueKey()
    await page.goto(`/portal/keys/${keyId}`)
    const first = { tab, page }
    now += HOUR_MS
    const colleague = await portal.addMember('owner')
    await signIn(colleague)
    await rotateInBrowser(keyId)
    const secret = await shownSecret()
    await tab.close()

    ;({ tab, page } = first)
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByRole('button', { name: 'Rotate the key' }).click()
    await page
      .getByRole('alert')
      .getByText(`Nothing was changed. ${colleague.email} rotated this key in the meantime`)
      .waitFor()
    expect(await isAccepted(secret)).toBe(true)
    await expectGoodPage(tab)
  })

  it('are read-only for a viewer', async () => {
    const { keyId } = await issueKey()
    await tab.close()
    await signIn(await portal.addMember('viewer'))
    for (const path of ['/portal/keys', `/portal/keys/${keyId}`]) {
      await page.goto(path)
      await page.getByText('Backend').first().waitFor()
      expect(await page.getByRole('button', { name: /Rotate|Revoke|Create/ }).count()).toBe(0)
      expect(await page.getByRole('link', { name: /Create/ }).count()).toBe(0)
      await expectGoodPage(tab)
    }
  })

  it('have an audit log with pages', async () => {
    const { keyId, apiKey } = await issueKey('Backend')
    await isAccepted(apiKey)
    for (const { name, environment } of LUMEN_KEYS) await issueKey(name, environment)
    now += HOUR_MS
    await rotateInBrowser(keyId)
    await page.goto('/portal/keys')
    await expectGoodPage(tab)
    await screenshot(tab, 'keys')
    for (let count = 0; count < 21; count++) await issueKey(`Key ${count}`, 'test')
    await page.getByRole('link', { name: 'Full audit log' }).click()
    const rows = page.getByRole('row')
    await rows.filter({ hasText: member.email }).filter({ hasText: 'rotated Backend' }).waitFor()
    expect(await rows.count()).toBe(26)
    await expectGoodPage(tab)
    await screenshot(tab, 'audit-log')
    await page.getByRole('link', { name: 'Older' }).click()
    await page.getByRole('link', { name: 'Newest' }).waitFor()
    await page.getByText('created the organisation').waitFor()
    expect(await page.getByRole('link', { name: 'Older' }).count()).toBe(0)
  })

  async function rotateInBrowser(keyId: string) {
    await page.goto(`/portal/keys/${keyId}`)
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByRole('button', { name: 'Rotate the key' }).click()
    await page.getByRole('heading', { name: 'The secret of' }).waitFor()
  }
})
