// Chromium for tests of the pages that people see.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Test } from 'tap'

const program = '/usr/bin/chromium'

/** `t.test(title, needsChromium, …)` */
export const needsChromium: { readonly skip: string | false } = {
  skip: !existsSync(program) && 'apt-get install -y chromium',
}

/** Starts a browser, which is closed at the end of the test. */
export async function startBrowser(t: Test): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] })
  t.teardown(() => browser.close())
  return browser
}

export interface Window {
  readonly page: Page
  /** Addresses that the page requested. */
  readonly requested: string[]
  /** Errors, warnings and refused content that the browser reported, and dialogs that were opened. */
  readonly complaints: string[]
}

/** Opens a window with a store of its own. */
export async function openWindow(t: Test, browser: Browser, options: BrowserContextOptions = {}): Promise<Window> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...options })
  t.teardown(() => context.close())
  const page = await context.newPage()
  // Machines may be busy with other tests.
  page.setDefaultTimeout(90_000)
  const [requested, complaints]: [string[], string[]] = [[], []]
  page.on('request', (request) => requested.push(request.url()))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { page, requested, complaints }
}
