// What the bundles of the program and those of the tests have in common (esbuild).
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const bundling = {
  absWorkingDir: dirname(dirname(fileURLToPath(import.meta.url))),
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  // Bundled CommonJS packages call require() for modules of Node.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
  },
  // These packages load files beside their code at run time; only commands that serve HTTP load them.
  external: [
    '@aws-sdk/*',
    '@fastify/*',
    'fastify',
    'harfbuzzjs',
    'ioredis',
    'level',
    'mupdf',
    'pg',
    'piscina',
    'rate-limiter-flexible',
    'sharp',
  ],
}
