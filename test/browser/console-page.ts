// Shared parts of the tests of the console: what people see and press, and documents to look at.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { done, type Running } from '../server/support/running-server.js'

export const pdf = readFileSync('examples/documents/agreement.pdf')
export const documents = '/v1/tenants/acme/documents'
export const script = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=2</script>'

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
export const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
export const rows = (page: Page, name: string) => page.getByRole('list', { name, exact: true }).getByRole('listitem')
export const dialog = (page: Page) => page.getByRole('dialog')
export const uploadField = (page: Page) => page.getByLabel('Choose PDF files to upload')
export const fileOf = (name: string, content: Uint8Array = pdf) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(content),
})

/** The browser reports refused requests, which these tests make on purpose. */
export const bugsIn = (complaints: readonly string[]) =>
  complaints.filter((one) => !one.startsWith('Failed to load resource'))

/** True for addresses below the server, and for content that the page itself made. */
export const isOwn = (address: string, url: string) => [url, 'blob:', 'data:'].some((own) => address.startsWith(own))

export async function signIn(page: Page, url: string, token: string, place = ''): Promise<void> {
  await page.goto(`${url}/console${place}`)
  await field(page, 'Token').fill(token)
  await page.keyboard.press('Enter')
  await button(page, 'Sign out').waitFor()
}

/** Announces documents, whose bytes do not come. */
export async function announce({ api }: Running, tenantId: string, names: readonly string[]): Promise<void> {
  for (const fileName of names) {
    const json = { contentLength: 5, contentSha256: 'a'.repeat(64), metadata: { fileName } }
    done(await api.post(`/v1/tenants/${tenantId}/documents/init`, json))
  }
}

export const named = async ({ api }: Running, name: string) =>
  Object(done(await api.get(`${documents}?name=${encodeURIComponent(name)}`)).at('/documents'))
