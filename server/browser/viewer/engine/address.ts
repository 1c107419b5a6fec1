// Addresses of immutable reads, which the browser keeps: `text/pages/obj:3/data@contentVersion=7`.

/** `members` become the token of the address, in alphabetical order. */
export function versionedAddress(path: string, members: Readonly<Record<string, string | number>>): string {
  const pairs = Object.keys(members)
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((key) => `${key}=${members[key]}`)
  return `${path}@${pairs.join(',')}`
}

export const pagePath = (family: string, objectNumber: number): string => `${family}/pages/obj:${objectNumber}/data`
