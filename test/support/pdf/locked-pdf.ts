// PDFs that qpdf encrypts.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import { Workshop } from './workshop.js'

export interface Lock {
  readonly user: string
  readonly owner: string
  /** Permissions in qpdf's notation. Default: no printing. */
  readonly permissions?: readonly string[]
}

export function lockedPdf(t: Test, plain: Buffer, { user, owner, permissions = ['--print=none'] }: Lock): Buffer {
  const { path } = Workshop.of(t).source(plain)
  execFileSync('qpdf', ['--encrypt', user, owner, '256', ...permissions, '--', path, `${path}.locked`])
  return readFileSync(`${path}.locked`)
}
