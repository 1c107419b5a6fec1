// A tenant that draws pictures as large as they are allowed, so many at once, in a process of its own: what it costs its
// client must not count against the server. Reads {url, apiToken, path, atOnce} as its argument, prints the number of
// pictures when it is ended by an end of stdin.
const { url, apiToken, path, atOnce, width } = JSON.parse(process.argv[2])
let isOver = false
let drawn = 0
process.stdin.on('end', () => {
  isOver = true
})
process.stdin.resume()

await Promise.all(
  Array.from({ length: atOnce }, async (_, lane) => {
    for (let round = 0; !isOver; round++) {
      // Every width is another cache key, and the same work to draw.
      const query = `viewport.kind=width&viewport.width=${width - (round * atOnce + lane) / 1_000_000}&format=png`
      const answer = await fetch(new URL(`${path}?${query}`, url), { headers: { authorization: `Bearer ${apiToken}` } })
      await answer.arrayBuffer()
      if (answer.ok) drawn += 1
    }
  }),
)
console.log(drawn)
