// The worker thread for tests that run TypeScript.
import { pathToFileURL } from 'node:url'
import { bundleThread } from '../../scripts/bundle-thread.mjs'

/**
 * Returns the file for `WorkerPool.start({ thread: await builtThread() })`. A run of several test files bundles it once, and
 * names it in STEWARD_TEST_THREAD.
 */
export async function builtThread(): Promise<URL> {
  return pathToFileURL(process.env.STEWARD_TEST_THREAD ?? (await bundleThread()))
}
