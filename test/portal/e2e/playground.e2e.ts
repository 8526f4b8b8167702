import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { listKeys } from '../../../src/organizations/list-keys.js'
import { createKey } from '../../../src/organizations/api-key.js'
import { runSnippet } from '../_run-snippet.js'
import { startPortal, type Member, type Portal } from '../_portal.js'
import {
  expectGoodPage,
  openBrowser,
  openTab,
  PLAIN_HTTP_HOST,
  screenshot,
  WIDTHS,
  type Tab,
} from './_browser.js'
import { joinLumenDating } from './_lumen-dating.js'
import { startRealModels } from './_real-models.js'

const ANSWER_TIMEOUT_MS = 45_000
/** The first call evaluates every prompt without a cache. */
const FIRST_CALL_TIMEOUT_MS = 120_000

let portal: Portal
let browser: Browser
let member: Member

beforeAll(async () => {
  portal = await startPortal({ models: await startRealModels() })
  await portal.context.warmUp()
  member = await joinLumenDating(portal, 'developer')
  browser = await openBrowser()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await portal?.close()
})

describe.each(WIDTHS)('the playground on a %s', (width) => {
  let tab: Tab
  let page: Page
  beforeEach(async () => {
    tab = await openTab(browser, { baseUrl: portal.baseUrl, width, member })
    page = tab.page
    page.setDefaultTimeout(ANSWER_TIMEOUT_MS)
    await page.goto('/portal/playground')
    await page.getByRole('heading', { name: 'Sender' }).waitFor()
  })
  afterEach(() => tab.close())

  const send = () => page.getByRole('button', { name: 'Send', exact: true }).click()
  const choose = (capability: string) => page.getByRole('radio', { name: capability }).check()
  const answer = () => page.getByRole('region', { name: 'Answer' })
  const answered = (status = 200) =>
    answer().locator('.answer-facts').getByText(String(status), { exact: true }).waitFor()

  async function pasteKey(apiKey = portal.apiKey) {
    await page.getByLabel(/paste one/i).fill(apiKey)
    await page.getByRole('button', { name: 'Use it' }).click()
  }

  async function dropPhoto(name: string) {
    const base64 = await readFile(path.join('examples', 'photos', name), 'base64')
    const dataTransfer = await page.evaluateHandle(
      async ([file, content]) => {
        const dropped = new DataTransfer()
        const { buffer } = Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
        dropped.items.add(new File([buffer], file, { type: 'image/jpeg' }))
        return dropped
      },
      [name, base64] as const,
    )
    await page.locator('.photo-strip').nth(1).dispatchEvent('drop', { dataTransfer })
    await page.getByRole('img', { name }).waitFor()
  }

  it('loads less than 100 kB of script', async () => {
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).decodedBodySize, 0),
    )
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(100_000)
  })

  it(
    'streams openers, explains them, and shows quota and time',
    async () => {
      await page.getByRole('button', { name: /Create a key for 12 hours/ }).click()
      await page.getByText('in this page’s memory only').waitFor()
      await screenshot(tab, 'playground')
      const organizationId = portal.organizationId
      const keys = await listKeys(portal.context.db, { organizationId, now: Date.now() })
      expect(keys.at(-1)).toMatchObject({ environment: 'test', expiresAt: expect.any(Number) })
      expect(keys.at(-1)?.capabilities).not.toContain('events')

      await page.getByLabel('Interests').first().fill('coffee, climbing')
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      await send()
      const wordsToCome = answer().locator('.word-to-come')
      await wordsToCome.first().waitFor({ state: 'attached' })
      await answered()
      await wordsToCome.first().waitFor({ state: 'detached' })
      expect(await answer().locator('.openers > li').count()).toBe(3)
      await answer()
        .getByText(/of 200,000 test calls this month/)
        .waitFor()
      await answer().getByText(/^req_/).waitFor()
      const first = await answer().locator('.opener-text').first().innerText()
      expect(await page.getByRole('log').innerText()).toContain(`Opener 1: ${first}`)
      await answer()
        .getByText(/How they were written/)
        .click()
      await answer().getByText(/cat/).first().waitFor()
      await expectGoodPage(tab)
      await screenshot(tab, 'playground-openers', answer())
    },
    FIRST_CALL_TIMEOUT_MS,
  )

  it('shows the tags of each photo, and adds the preferences to the profile', async () => {
    await pasteKey()
    await choose('Preferences')
    await send()
    await answered()
    await answer().getByText('cats').first().waitFor()
    await answer().getByRole('list', { name: 'Tags of photo 1' }).getByText(/cat/).waitFor()
    await expectGoodPage(tab)
    await screenshot(tab, 'playground-preferences', answer())
    await page.getByRole('button', { name: 'Use them in the profile' }).click()
    expect(await page.getByLabel('Interests').nth(1).inputValue()).toContain('cats')

    await choose('Match')
    await send()
    await answered()
    const score = Number(await answer().locator('.match-score strong').innerText())
    expect(score).toBeGreaterThan(0)
    await answer().locator('.reason').waitFor()
    await answer().getByText('How it was computed').click()
    await expectGoodPage(tab)
    await screenshot(tab, 'playground-match', answer())
  })

  it('accepts the user’s photos, and says which files it refuses', async () => {
    await pasteKey()
    const chooser = page.locator('input[type=file]').nth(1)
    await chooser.setInputFiles([
      {
        name: 'flower.jpg',
        mimeType: 'image/jpeg',
        buffer: await readFile(path.join('examples', 'photos', 'flower.jpg')),
      },
      { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') },
      { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(10 * 1024 * 1024 + 1) },
    ])
    await page.getByText('notes.pdf: the service accepts JPEG').waitFor()
    await page.getByText('huge.png: 10.0 MB is too large').waitFor()
    await page.getByRole('img', { name: 'flower.jpg' }).waitFor()
    await dropPhoto('temple.jpg')
    await page.getByRole('button', { name: 'Remove photo 4' }).click()
    for (const photo of [1, 1]) {
      await page
        .getByRole('button', { name: `Remove photo ${photo}` })
        .nth(1)
        .click()
    }
    expect(await page.getByRole('img', { name: /Photo 1: flower/ }).count()).toBe(1)
    await choose('Preferences')
    await page.getByLabel('Bio').nth(1).fill('I paint houses and keep bees.')
    await send()
    await answered()
    await expectGoodPage(tab)
  })

  it('shows an error as partners get it, with advice', async () => {
    await pasteKey()
    await page.getByLabel('Bio').nth(1).fill(' ')
    await send()
    await answered(400)
    await answer().getByText('invalid_recipient').first().waitFor()
    await answer().getByText('The recipient lacks a required field').waitFor()
    await expectGoodPage(tab)
    await screenshot(tab, 'playground-error', answer())
  })

  it('cancels a call', async () => {
    await pasteKey()
    await page.getByRole('combobox', { name: 'Openers' }).selectOption('5')
    await send()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await answer().getByText('a cancelled call is not charged').waitFor()
    await expectGoodPage(tab)
  })

  it('refuses a live key without sending it', async () => {
    const { organizationId } = portal
    const { apiKey } = await createKey(
      portal.context,
      { organizationId, name: 'Live', environment: 'live', capabilities: ['match.evaluate'] },
      { actor: 'cli:tester', now: Date.now() },
    )
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await pasteKey(apiKey)
    await page.getByRole('alert').getByText('This is a live key').waitFor()
    expect(await page.getByText('You need a test key').count()).toBe(1)
    expect(sent).toEqual([])
    await expectGoodPage(tab)
  })

  it('copies the same call as curl and TypeScript, without the key', async () => {
    await pasteKey()
    await choose('Match')
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    for (const language of ['curl', 'TypeScript']) {
      await page.getByRole('radio', { name: language }).check()
      await page.getByRole('button', { name: `the call as ${language}` }).click()
      await page.getByText('Copied').waitFor()
      const code = await page.evaluate(() => navigator.clipboard.readText())
      expect(code).not.toContain(portal.apiKey.slice(0, 12))
      const printed = await runSnippet({ language, code }, { PROFILE_API_KEY: portal.apiKey })
      expect(printed).toMatch(/0\.\d+/)
      await page.getByRole('button', { name: `Copy the call as ${language}` }).waitFor()
    }
  })
})

describe('the playground over plain HTTP on a local network', () => {
  it('calls and copies without the APIs of a secure context', async () => {
    const baseUrl = portal.baseUrl.replace('127.0.0.1', PLAIN_HTTP_HOST)
    const tab = await openTab(browser, { baseUrl, width: 'desktop', member })
    const { page, complaints } = tab
    page.setDefaultTimeout(ANSWER_TIMEOUT_MS)
    await page.goto('/portal/playground')
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    await page.getByRole('button', { name: /Create a key/ }).click()
    await page.getByText('in this page’s memory only').waitFor()
    await page.getByRole('radio', { name: 'Preferences' }).check()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('list', { name: 'Tags of photo 1' }).waitFor()
    await page.getByRole('button', { name: 'Copy the call as curl' }).click()
    await page.getByText('Copied').waitFor()
    await page.getByLabel('Bio').first().press('Control+A')
    await page.getByLabel('Bio').first().press('Control+V')
    expect(await page.getByLabel('Bio').first().inputValue()).toContain(`curl -s ${baseUrl}/v1/`)
    expect(complaints).toEqual([])
    await tab.close()
  })
})
