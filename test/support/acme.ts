// The provider of examples/provider-plugin, as a small provider with real HTTP and a few kinds for tests of the engine.
import type { Subject } from '../../core/conformance/subject.js'
import type { Provider } from '../../core/plugin/provider.js'
import { kinds } from '../../plugins/kinds/index.js'

interface Example {
  readonly index: { readonly default: Provider }
  readonly subject: { readonly subject: Omit<Subject, 'provider' | 'kinds'> }
}

/** The plugin has its own copy of the plugin contracts (the built one), like an installed package. */
export async function acmeSubject(): Promise<Subject> {
  const index: Example['index'] = await import(example('index.js'))
  const { subject }: Example['subject'] = await import(example('test/subject.js'))
  return { ...subject, provider: index.default, kinds }
}

function example(path: string): string {
  return new URL(`../../examples/provider-plugin/${path}`, import.meta.url).href
}
