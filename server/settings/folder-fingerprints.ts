// Fingerprints of the secrets that a data folder was last served with, for a server of one process: a file in the folder.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { hasCode } from '../../core/ports/disk.js'
import type { DeploymentFacts } from '../storage/deployment-facts.js'
import { replaceFile } from '../storage/whole-file.js'

const Fingerprints = Type.Record(Type.String(), Type.String())
const validator = Compile(Fingerprints)

export class FolderFingerprints implements Omit<DeploymentFacts, 'remove'> {
  private readonly path: string

  constructor(dataFolder: string) {
    this.path = join(dataFolder, 'fingerprints.json')
  }

  async get(name: string): Promise<string | undefined> {
    return (await this.read())[name]
  }

  async recordOnce(name: string, value: string): Promise<string> {
    const recorded = await this.get(name)
    if (recorded === undefined) await this.set(name, value)
    return recorded ?? value
  }

  async set(name: string, value: string): Promise<void> {
    await replaceFile(this.path, `${JSON.stringify({ ...(await this.read()), [name]: value }, undefined, 2)}\n`)
  }

  /** A file that is damaged counts as none, because the next start writes it anew. */
  private async read(): Promise<Readonly<Record<string, string>>> {
    try {
      const parsed: unknown = JSON.parse(await readFile(this.path, 'utf8'))
      return validator.Check(parsed) ? parsed : {}
    } catch (error) {
      if (error instanceof SyntaxError || hasCode(error, 'ENOENT')) return {}
      throw error
    }
  }
}
