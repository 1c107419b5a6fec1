import t from 'tap'
import { readingLimits } from '../../../workers/objects/reading-limits.js'
import { elementsIn, isElement, parseXml, textIn, type XmlElement } from '../../../workers/text/xml.js'

const only = (source: string): XmlElement => {
  const [element] = elementsIn(parseXml(source))
  if (element === undefined) throw new Error('no element')
  return element
}

t.test('elements, attributes, text and references are read', async (t) => {
  const element = only(
    `<?xml version="1.0"?><!DOCTYPE a><a b="1 &gt; 0" c='"' d e = "x"><!-- <no/> -->one<b/><![CDATA[<&>]]></a>`,
  )
  t.equal(element.name, 'a')
  t.same(
    [...element.attributes],
    [
      ['b', '1 > 0'],
      ['c', '"'],
      ['d', ''],
      ['e', 'x'],
    ],
  )
  t.equal(textIn(element), 'one<&>')
  t.same(
    element.children.filter(isElement).map(({ name }) => name),
    ['b'],
  )
})

t.test('entities of a document type are not expanded', async (t) => {
  t.equal(textIn(only('<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;&amp;&#0;&#x110000;</a>')), '&b;&')
})

t.test('unclosed elements and stray end tags are tolerated', async (t) => {
  t.equal(textIn(only('<a><b>one</a>two')), 'one')
  t.equal(textIn(parseXml('</a>one')), 'one')
  t.equal(textIn(parseXml('one<a b="')), 'one')
  t.equal(textIn(parseXml('1 < 2')), '1 ')
})

t.test('the number of elements is limited, and elements below the maximum depth are flattened', async (t) => {
  const count = (element: XmlElement): number => elementsIn(element).reduce((sum, child) => sum + count(child), 1)
  t.ok(count(parseXml('<a/>'.repeat(readingLimits.xmlElementsMax * 2))) <= readingLimits.xmlElementsMax + 2)
  const depth = (element: XmlElement): number => 1 + Math.max(0, ...elementsIn(element).map(depth))
  t.ok(depth(parseXml('<a>'.repeat(10_000))) <= readingLimits.xmlDepthMax + 2)
})

t.test('a megabyte of the worst input is read in one pass', { timeout: 20_000 }, async (t) => {
  const million = 1_000_000
  const pieces = ['<', '<!--', '<![CDATA[', '<?', '<a "', `<a '`, '<a b="', 'a', ' ', '&', '&#', '</a>', '<a ']
  for (const piece of pieces) {
    parseXml(piece.repeat(million / piece.length))
    parseXml(`<x ${piece.repeat(million / piece.length)}>`)
  }
  t.pass('came to an end')
})
