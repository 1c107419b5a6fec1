export function bundleThread(): Promise<string>
