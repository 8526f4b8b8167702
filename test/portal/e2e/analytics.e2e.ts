import type { Browser } from 'playwright-core'
import { fillDatabase } from '../../../src/tools/demo/history/fill-database.js'
import { startPortal, type Member, type Portal } from '../_portal.js'
import { expectGoodPage, openBrowser, openTab, screenshot, WIDTHS, type Tab } from './_browser.js'

const EVENTS = 40_000

let portal: Portal
let browser: Browser
let viewer: Member
let newcomer: Member

beforeAll(async () => {
  portal = await startPortal()
  const { context } = portal
  newcomer = await portal.addMember('viewer')
  const filled = await fillDatabase(context, { eventCount: EVENTS, now: context.clock() })
  context.isSynthetic = true
  viewer = await portal.addMember('viewer', { organizationId: filled.organizationId })
  browser = await openBrowser()
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await portal?.close()
})

async function open(tab: Tab, path: string): Promise<Tab['page']> {
  await tab.page.goto(path)
  return tab.page
}

/** Checks that all charts were drawn. */
async function expectCharts({ page }: Tab, count: number): Promise<void> {
  await page
    .locator('.chart .uplot')
    .nth(count - 1)
    .waitFor()
  expect(await page.locator('.chart .uplot').count()).toBe(count)
  expect(await page.locator('.chart-area .chart-state').count()).toBe(0)
}

describe.each(WIDTHS)('analytics on a %s', (width) => {
  let tab: Tab

  beforeEach(async () => {
    tab = await openTab(browser, { baseUrl: portal.baseUrl, width, member: viewer })
  })
  afterEach(() => tab.close())

  it('shows requests, latency, errors and quota', async () => {
    const page = await open(tab, '/portal?env=live')
    await expectCharts(tab, 2)
    await page.getByText('Synthetic data.', { exact: true }).waitFor()
    await expectGoodPage(tab)
    await screenshot(tab, 'overview')
    await screenshot(
      tab,
      'overview-quota',
      page.getByRole('region', { name: 'Live quota this month', exact: true }),
    )
    await page.getByRole('link', { name: '24 hours' }).click()
    await page.getByText('in the last 24 hours', { exact: true }).waitFor()
    await expectCharts(tab, 2)
  })

  it('shows the numbers of a chart by keyboard', async () => {
    const page = await open(tab, '/portal?env=live')
    await expectCharts(tab, 2)
    const chart = page.getByRole('group', { name: /^Chart/ }).first()
    await chart.focus()
    await page.keyboard.press('ArrowLeft')
    const tooltip = chart.getByRole('status')
    expect(await tooltip.textContent()).toMatch(/, not over.*Openers: [\d,]+/)
    await page.keyboard.press('ArrowLeft')
    expect(await tooltip.textContent()).not.toContain('not over')
  })

  it('shows which openers get replies, those with enough data first', async () => {
    const page = await open(tab, '/portal/openers?env=live&period=12m')
    await page.locator('.chart .uplot').first().waitFor()
    const styles = page.getByRole('table', { name: 'Reply rate by style' })
    expect(await styles.getByRole('rowheader').last().textContent()).toContain('few data')
    await expectGoodPage(tab)
    await screenshot(tab, 'openers')
    await screenshot(
      tab,
      'openers-weeks',
      page.getByRole('region', { name: 'Reply rate by week', exact: true }),
    )
    const waiting = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download as CSV' }).first().click()
    expect((await waiting).suggestedFilename()).toBe('reply-rate-by-style.csv')
  })

  it('shows retention cell by cell', async () => {
    const page = await open(tab, '/portal/retention?env=live')
    await expectGoodPage(tab)
    await screenshot(tab, 'retention')
    const detail = page.locator('[data-heat-detail]')
    await page.locator('[data-heat-map] td[tabindex="0"]').focus()
    await page.keyboard.press('ArrowRight')
    expect(await detail.textContent()).toMatch(/^All cohorts: [\d.]+% .* 1 week later/)
    await page.keyboard.press('ArrowDown')
    expect(await detail.textContent()).toMatch(
      /^Cohort of .* 1 week later, a week that is not over/,
    )
  })

  it('says what to do if there is no data yet', async () => {
    await tab.close()
    tab = await openTab(browser, { baseUrl: portal.baseUrl, width, member: newcomer })
    for (const [path, text] of [
      ['/portal', 'No requests in'],
      ['/portal/openers', 'No openers sent in'],
      ['/portal/what-works', 'no opener was reported as sent'],
      ['/portal/retention', 'No new end users in'],
    ] as const) {
      const page = await open(tab, path)
      await page.getByText(text).waitFor()
      await expectGoodPage(tab)
    }
  })
})
