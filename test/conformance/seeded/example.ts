// Runs the suite on the example plugin, and returns the failing stages.
import { join } from 'node:path'
import type { Provider, Subject } from 'steward/plugin'
import { root } from '../../cli/program.js'

// Imported after the build, because these modules are part of it.
const { kinds } = await import('steward/kinds')
const { conformance } = await import('steward/plugin')

const folder = join(root, 'examples/provider-plugin')
const { default: provider }: { readonly default: Provider } = await import(join(folder, 'index.js'))
const { subject }: { readonly subject: Omit<Subject, 'provider' | 'kinds'> } = await import(
  join(folder, 'test/subject.js')
)

export type Example = Subject

export const acme: Example = { ...subject, provider, kinds, sample: { size: 1, seed: 1 } }

export interface RedStage {
  readonly title: string
  readonly message: string
}

export async function runStages(example: Example, isWanted: (title: string) => boolean): Promise<readonly RedStage[]> {
  const red: RedStage[] = []
  const runner = {
    test: async (title: string, run: () => Promise<void>) => {
      if (!isWanted(title)) return
      await run().catch((error: unknown) => {
        red.push({ title, message: error instanceof Error ? error.message : String(error) })
      })
    },
  }
  await conformance(runner, example)
  return red
}
