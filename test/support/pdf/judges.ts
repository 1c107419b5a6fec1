// Independent programs that check PDFs. Tests declare the programs they need with `needs`: without one, the test is skipped
// with the command that installs it.
import { spawnSync } from 'node:child_process'

const packages = {
  qpdf: 'qpdf',
  pdfdetach: 'poppler-utils',
  pdfinfo: 'poppler-utils',
  pdftotext: 'poppler-utils',
  pdftoppm: 'poppler-utils',
  pdfsig: 'poppler-utils',
  openssl: 'openssl',
  mutool: 'mupdf-tools',
  gs: 'ghostscript',
  pikepdf: 'python3-pikepdf',
} as const

/** Python of the system: another one in the path may lack the package. */
export const python = '/usr/bin/python3'

export type Judge = keyof typeof packages

/** `t.test(title, needs('qpdf'), …)` */
export function needs(...judges: readonly Judge[]): { readonly skip: string | false } {
  const missing = judges.filter((judge) => !isThere(judge))
  const names = [...new Set(missing.map((judge) => packages[judge]))]
  return { skip: names.length > 0 && `apt-get install -y ${names.join(' ')}` }
}

function isThere(judge: Judge): boolean {
  if (judge === 'pikepdf') return spawnSync(python, ['-c', 'import pikepdf']).status === 0
  return spawnSync(judge, [judge === 'openssl' ? 'version' : '--version']).error === undefined
}

/** Runs a program (for pikepdf, Python) and returns its standard output. qpdf exits with 3 for warnings. */
export function judged(judge: Judge, args: readonly string[]): Buffer {
  const program = judge === 'pikepdf' ? python : judge
  const { status, stdout, stderr } = spawnSync(program, args, { maxBuffer: 64 * 1024 * 1024 })
  if (status === 0 || (judge === 'qpdf' && status === 3)) return stdout
  throw new Error(`${judge} ${args.join(' ')} ended with ${status}: ${stderr.toString()}`)
}
