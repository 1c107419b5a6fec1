// AES-256 files open with passwords as typed, and as prepared by SASLprep.
import t from 'tap'
import { openFile } from '../../../workers/document/open-file.js'
import { preparedPassword } from '../../../workers/strict-reader/encryption/prepared-password.js'
import { encryptedPdf } from '../../support/pdf/encrypted-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'

t.test('passwords are prepared like the examples of RFC 4013', async (t) => {
  t.equal(preparedPassword('I\u00adX'), 'IX')
  t.equal(preparedPassword('user'), 'user')
  t.equal(preparedPassword('USER'), 'USER')
  t.equal(preparedPassword('\u00aa'), 'a')
  t.equal(preparedPassword('\u2168'), 'IX')
  t.equal(preparedPassword('a\u00a0b'), 'a b')
})

t.test('a file opens whether its writer prepared the password or not', needs('qpdf'), async (t) => {
  const workshop = Workshop.of(t)
  const opens = (user: string, typed: string) => {
    const scheme = { name: 'AES', user, owner: 'owner', bits: ['256'], cipher: 'aes-256' } as const
    const source = workshop.source(encryptedPdf(onePage(''), scheme), { password: Buffer.from(typed) })
    openFile(source).destroy()
  }
  opens('SaSLprep', 'S\u00ada\u00adSL\u200cprep')
  opens('S\u00ada\u00adSLprep', 'S\u00ada\u00adSLprep')
  opens('IX', '\u2168')
  opens('\u2168', '\u2168')
  t.throws(() => opens('IX', 'XI'), { code: 'DocPasswordIncorrect' })
})
