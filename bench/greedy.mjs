// A tenant that renders many pictures of maximum size concurrently, in a separate process, so that the cost of the
// client does not count against the server. Reads {url, apiToken, path, atOnce} as its argument, prints the number of pictures drawn when stdin ends.
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
