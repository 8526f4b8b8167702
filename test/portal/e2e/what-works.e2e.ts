import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { dayOf } from '../../../src/events/calendar.js'
import { fillDatabase } from '../../../src/tools/demo/history/fill-database.js'
import { addEvidence } from '../../learning/_stored-evidence.js'
import { startPortal, type Member, type Portal } from '../_portal.js'
import { expectGoodPage, openBrowser, openTab, screenshot, WIDTHS, type Tab } from './_browser.js'

const EVENTS = 40_000

let portal: Portal
let browser: Browser
let owner: Member

beforeAll(async () => {
  portal = await startPortal()
  const { context } = portal
  const filled = await fillDatabase(context, { eventCount: EVENTS, now: context.clock() })
  context.isSynthetic = true
  owner = await portal.addMember('owner', { organizationId: filled.organizationId })
  browser = await openBrowser()
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await portal?.close()
})

describe.each(WIDTHS)('what works, on a %s', (width) => {
  let tab: Tab

  beforeEach(async () => {
    tab = await openTab(browser, { baseUrl: portal.baseUrl, width, member: owner })
  })
  afterEach(() => tab.close())

  async function open(environment: 'live' | 'test' = 'live'): Promise<Tab['page']> {
    await tab.page.goto(`/portal/what-works?env=${environment}`)
    return tab.page
  }

  it('shows the uplift and what was learnt', async () => {
    const page = await open()
    await page.locator('.chart .uplot').waitFor()
    await page.getByText(/between .+ and .+ percentage points/).waitFor()
    await expectGoodPage(tab)
    await screenshot(tab, 'what-works')
    const findings = page.getByRole('table', { name: 'Styles in the tone playful' })
    expect(await findings.getByRole('row').count()).toBe(6)
    const finding = /^(clearly|probably) (better|worse)$|^too early to say$|^about average$/
    expect(await findings.getByText(finding).count()).toBe(5)
    await screenshot(
      tab,
      'what-works-styles',
      page.getByRole('region', { name: 'What was learnt, by tone and style', exact: true }),
    )
    const waiting = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download as CSV' }).last().click()
    expect((await waiting).suggestedFilename()).toBe('learnt-by-tone-and-style.csv')
  })

  it('is reached from the openers page', async () => {
    await tab.page.goto('/portal/openers?env=live')
    await tab.page.getByRole('main').getByRole('link', { name: 'What works' }).click()
    await tab.page.waitForURL('**/what-works?env=live')
    expect(await tab.page.getByRole('heading', { name: 'What works' }).count()).toBe(1)
  })

  it('lets an owner pause and resume, and change the control share', async () => {
    const page = await open('test')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('status').getByText('Learning is paused.').waitFor()
    await expectGoodPage(tab)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('status').getByText('Learning is on.').waitFor()
    await page.getByRole('button', { name: 'Change the control share' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Share of people, in percent').fill('25')
    await dialog.getByRole('button', { name: 'Change the share' }).click()
    await page.getByText('25% of people', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await page.getByText('10% of people', { exact: true }).waitFor()
  })

  it('says what a reset deletes before it does so', async () => {
    const organizationId = await portal.createOrganization()
    const member = await portal.addMember('owner', { organizationId })
    const { db, clock } = portal.context
    const settled = { day: dayOf(clock()) - 4, sent: 500, replied: 120 }
    await addEvidence(db, { organizationId, environment: 'live' }, [settled])
    await tab.close()
    tab = await openTab(browser, { baseUrl: portal.baseUrl, width, member })
    const page = await open()
    await page.getByRole('button', { name: 'Reset' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('500 openers that count').waitFor()
    await expectGoodPage(tab)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Reset' }).click()
    await dialog.getByRole('button', { name: 'Forget it and start again' }).click()
    await page.getByRole('status').getByText('What was learnt is deleted.').waitFor()
    await page.getByText('no opener was reported as sent').waitFor()
  })

  it('says what to do if there is no evidence yet', async () => {
    const page = await open('test')
    await page.getByText('no opener was reported as sent').waitFor()
    await expectGoodPage(tab)
  })
})
