// Generates files by the name of their properties (see `dimensions.ts`).
import { coveringNames } from './covering.js'
import { damaged } from './damage.js'
import { specOf } from './dimensions.js'
import type { MatrixFile } from './matrix-file.js'
import { objectsOf } from './objects.js'
import { needsPassword, userPassword, written } from './writing.js'

export const madeFiles = (): readonly MatrixFile[] => coveringNames().map(madeFile)

export function madeFile(name: string): MatrixFile {
  const spec = specOf(name)
  return {
    name,
    ...(needsPassword(spec.encryption) && { password: userPassword }),
    bytes: async () => damaged(written(await objectsOf(spec), spec), spec.damage),
  }
}
