import { spawnSync } from 'node:child_process'
import type { Browser } from 'playwright-core'
import { createPasswordReset } from '../../../src/accounts/password-reset.js'
import { startPortal, type Portal } from '../_portal.js'
import { expectGoodPage, openBrowser, openTab, screenshot, WIDTHS, type Tab } from './_browser.js'

const PASSWORD = 'green stapler on mars'

let portal: Portal
let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

/** The link that the operator's command prints while the service runs. */
function inviteByCommand(role: string): string {
  const { config } = portal.context
  const { NODE_OPTIONS: _jestOnly, ...env } = process.env
  const args = ['admin', 'account', 'invite', '--organization=Lumen Dating', `--role=${role}`]
  const { stdout } = spawnSync(process.execPath, ['dist/main.js', ...args, '--json'], {
    env: { ...env, DATA_DIR: config.dataDir, PUBLIC_URL: portal.baseUrl },
    encoding: 'utf8',
  })
  return (JSON.parse(stdout) as { link: string }).link
}

async function signIn({ page }: Tab, email: string, password: string) {
  await page.goto('/portal/sign-in')
  await page.getByLabel('Sign-in name or e-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe.each(WIDTHS)('membership on a %s', (width) => {
  beforeAll(async () => {
    portal = await startPortal({ organizationName: 'Lumen Dating' })
  })
  afterAll(() => portal?.close())

  const open = (member?: Parameters<typeof openTab>[1]['member']) =>
    openTab(browser, { baseUrl: portal.baseUrl, width, ...(member && { member }) })

  it('starts with the operator’s link, and grows by links of the owner', async () => {
    const tab = await open()
    const { page } = tab
    const link = inviteByCommand('owner')
    await page.goto(link)
    await page.getByRole('heading', { name: 'Join Lumen Dating' }).waitFor()
    await expectGoodPage(tab)
    await screenshot(tab, 'invitation')
    expect(page.url()).not.toContain('#')
    await page.getByLabel('Sign-in name', { exact: true }).fill('ada')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByText('Your sign-in name is ada-').waitFor()
    await expectGoodPage(tab)
    await page.goto('/portal')
    await page.getByText('joined as owner').waitFor()
    await expectGoodPage(tab)
    await screenshot(tab, 'notices')

    await page.goto('/portal/members')
    await page.getByLabel(/^developer/).check()
    await page.getByLabel('E-mail address (optional)').fill('grace@lumen.example')
    await page.getByRole('button', { name: 'Create invitation link' }).click()
    const secondLink = await page.locator('.secret-line code').innerText()
    await expectGoodPage(tab)

    const colleague = await open()
    await colleague.page.goto(secondLink)
    await colleague.page.getByLabel('Password').fill(PASSWORD)
    await colleague.page.getByRole('button', { name: 'Join' }).click()
    await colleague.page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.goto('/portal/members')
    await page.getByRole('rowheader', { name: 'grace@lumen.example' }).waitFor()
    await expectGoodPage(tab)
    await screenshot(tab, 'members')

    await colleague.page.context().clearCookies()
    await colleague.page.goto(secondLink)
    await colleague.page.getByRole('heading', { name: 'This invitation does not work' }).waitFor()
    await expectGoodPage(colleague)
    await Promise.all([tab.close(), colleague.close()])
  })

  it('is open to browsers without JavaScript, by the code in the link', async () => {
    const link = new URL(inviteByCommand('viewer'))
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(link.href)
    await page.getByLabel('Code from your link').fill(link.hash.slice(1))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Sign-in name', { exact: true }).fill('linus')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByText('Your sign-in name is linus-').waitFor()
    await context.close()
  })

  it('resets a password by the operator’s link', async () => {
    const member = await portal.addMember('viewer')
    const act = { actor: 'cli:tester', now: portal.context.clock() }
    const { token } = await createPasswordReset(portal.context, member.accountId, act)
    const tab = await open()
    await tab.page.goto(`/portal/reset#${token}`)
    await tab.page.getByLabel('New password').fill(PASSWORD)
    await expectGoodPage(tab)
    await tab.page.getByRole('button', { name: 'Set password' }).click()
    await tab.page.getByRole('heading', { name: 'Overview' }).waitFor()
    await tab.close()
  })

  it('ends sessions when the role changes, and has the new role at the next sign-in', async () => {
    const owner = await portal.addMember('owner')
    const member = await portal.addMember('viewer', { email: 'mina@lumen.example' })
    const [tab, other] = [await open(owner), await open(member)]
    await other.page.goto('/portal/account')
    await tab.page.goto('/portal/members')
    const row = tab.page.getByRole('row').filter({ hasText: member.email })
    await row.getByLabel(`Role of ${member.email}`).selectOption('owner')
    await row.getByRole('button', { name: 'Change' }).click()
    await tab.page.getByText('The role is changed.').waitFor()

    await other.page.reload()
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(other, member.email, member.password)
    await other.page.goto('/portal/members')
    await other.page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()

    await row.getByRole('button', { name: 'Remove' }).click()
    await tab.page.getByRole('dialog').waitFor()
    await expectGoodPage(tab)
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await tab.page.getByText('The member is removed').waitFor()
    await other.page.reload()
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await Promise.all([tab.close(), other.close()])
  })

  it('lists the sessions, and ends all of them', async () => {
    const member = await portal.addMember('developer', { email: 'noor@lumen.example' })
    const [tab, other] = [await open(), await open()]
    await signIn(tab, member.email, member.password)
    await signIn(other, member.email, member.password)
    await tab.page.goto('/portal/account')
    await tab.page.getByText('Chrome on').first().waitFor()
    await expectGoodPage(tab)
    await screenshot(tab, 'account')
    await tab.page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await tab.page.getByText('You are signed out.').waitFor()
    await other.page.goto('/portal')
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await Promise.all([tab.close(), other.close()])
  })

  it('gets an error page if the role is too low or there is no such page', async () => {
    const tab = await open(await portal.addMember('viewer'))
    await tab.page.goto('/portal/members')
    await tab.page.getByRole('heading', { name: 'Your role does not allow this' }).waitFor()
    await expectGoodPage(tab)
    await tab.page.goto('/portal/no-such-page')
    await tab.page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
    await expectGoodPage(tab)
    await tab.close()
  })

  it('lets members change their password', async () => {
    const member = await portal.addMember('viewer')
    const tab = await open(member)
    const { page } = tab
    await page.goto('/portal/account')
    await page.getByLabel('Current password').fill(member.password)
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Your password is changed').waitFor()
    await page.context().clearCookies()
    await signIn(tab, member.email, PASSWORD)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await tab.close()
  })
})
