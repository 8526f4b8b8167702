import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect } from '@jest/globals'
import type { AxeResults } from 'axe-core'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
} from 'playwright-core'
import sharp from 'sharp'
import type { Member } from '../_portal.js'

/** The window sizes in which every page is tested. */
export const VIEWPORTS = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
} as const
export type Width = keyof typeof VIEWPORTS
export const WIDTHS = Object.keys(VIEWPORTS) as Width[]

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Resolves to this machine, and is not a secure context over HTTP. */
export const PLAIN_HTTP_HOST = 'portal.lan'

const SCREENSHOTS = path.join('docs', 'portal')

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A host name without HTTPS, as on a local network. Browsers treat 127.0.0.1 as secure.
      `--host-resolver-rules=MAP ${PLAIN_HTTP_HOST} 127.0.0.1`,
    ],
  })
}

export interface Tab {
  page: Page
  width: Width
  /** Violations of the content security policy, console errors and requests to other hosts. */
  complaints: string[]
  context: BrowserContext
  close(): Promise<void>
}

export interface TabOptions {
  baseUrl: string
  width: Width
  /** The signed-in member; nobody by default. */
  member?: Member
  /** Other origins that the page may call, such as an identity provider's. */
  allowedOrigins?: readonly string[]
}

/** Opens a new window, already signed in, that records what a page must not do. */
export async function openTab(browser: Browser, options: TabOptions): Promise<Tab> {
  const { baseUrl, width, member } = options
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport: VIEWPORTS[width],
    isMobile: width === 'phone',
    hasTouch: width === 'phone',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  if (member) {
    await context.addCookies([{ name: 'portal', value: member.sessionToken, url: baseUrl }])
  }
  const page = await context.newPage()
  const complaints: string[] = []
  const origins = new Set([new URL(baseUrl).origin, ...(options.allowedOrigins ?? [])])
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !origins.has(origin)) {
      complaints.push(`request to ${origin}`)
    }
  })
  page.on('console', (message) => {
    // Chromium logs every status of 400 and above. Tests check the expected ones themselves.
    const isStatus = /Failed to load resource: the server responded/.test(message.text())
    if (message.type() === 'error' && !isStatus) complaints.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`))
  await context.exposeFunction('reportViolation', (violation: string) =>
    complaints.push(`policy: ${violation}`),
  )
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { reportViolation } = window as unknown as { reportViolation: (text: string) => void }
      reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile ?? ''}`)
    })
  })
  return { page, width, complaints, context, close: () => context.close() }
}

/** Checks what every page must meet: no serious axe-core finding in light or dark, no horizontal scrolling, no complaints. */
export async function expectGoodPage({ page, complaints }: Tab): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    // Without reduced motion, colours would be measured in the middle of a transition.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect({ colorScheme, violations: await findBarriers(page) }).toEqual({
      colorScheme,
      violations: [],
    })
  }
  const [contentWidth, windowWidth] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return [scrollWidth, clientWidth] as const
  })
  expect(contentWidth).toBeLessThanOrEqual(windowWidth)
  expect(complaints).toEqual([])
}

async function findBarriers(page: Page): Promise<string[]> {
  // Evaluated through the debugger, because the page's policy refuses a script element.
  await page.evaluate(AXE)
  const results = await page.evaluate(
    () =>
      (
        window as unknown as { axe: { run(): Promise<AxeResults> } }
      ).axe.run() as Promise<AxeResults>,
  )
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`))
}

/**
 * Writes docs/portal/NAME-{desktop,phone}.png under `npm run portal:e2e -- --update-screenshots`: one window of the page,
 * from its top or from the start of `from`.
 */
export async function screenshot(
  { page, width }: Tab,
  name: string,
  from?: Locator,
): Promise<void> {
  if (process.env.UPDATE_SCREENSHOTS !== 'true') return
  mkdirSync(SCREENSHOTS, { recursive: true })
  if (from) await from.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  else await page.evaluate(() => scrollTo(0, 0))
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  await sharp(picture)
    .png({ palette: true, compressionLevel: 9 })
    .toFile(path.join(SCREENSHOTS, `${name}-${width}.png`))
}
