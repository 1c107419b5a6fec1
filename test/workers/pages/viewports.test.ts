import t, { type Test } from 'tap'
import { annotatedPdf, pageNumber } from '../../support/pdf/annotated-pdf.js'
import { readsOf } from '../../support/pdf/reads.js'

const viewportsOf = (t: Test, vp: string, further = {}) =>
  readsOf(t, annotatedPdf({ page: `/VP ${vp}`, further })).viewports(pageNumber).viewports

t.test(
  'viewports are listed in the order of the file, with box in page space, name and scale (shapes 8)',
  async (t) => {
    const scale =
      '<</Subtype/RL/R(1in = 4ft)/X[<</U(ft)/C .0555556>>]/Y[<</U(m)/C 2>>]/D[<</U(ft)/C 1>>]/A[<</U(sq ft)/C 1>>]/T[<</U(deg)/C 1>>]/S[<</U(%)/C 1>>]>>'
    t.same(viewportsOf(t, `[<</BBox[130 560 30 480]/Name(Plan)/Measure ${scale}>><</BBox[30 480 40 490]>>]`), [
      {
        bbox: { x: 10, y: 20, width: 100, height: 80 },
        name: 'Plan',
        measure: {
          subtype: 'rectilinear',
          ratio: '1in = 4ft',
          x: [{ unit: 'ft', conversion: 0.0555556 }],
          y: [{ unit: 'm', conversion: 2 }],
          distance: [{ unit: 'ft', conversion: 1 }],
          area: [{ unit: 'sq ft', conversion: 1 }],
          angle: [{ unit: 'deg', conversion: 1 }],
          slope: [{ unit: '%', conversion: 1 }],
        },
        owned: false,
      },
      { bbox: { x: 10, y: 90, width: 10, height: 10 }, owned: false },
    ])
  },
)

t.test('geospatial and unknown scales are reported by type only', async (t) => {
  const measures = ['<</Subtype/GEO/GPTS[1 2]>>', '<</Subtype/XX>>', '<</Subtype/valueOf>>', '<<>>', '7']
  t.same(
    viewportsOf(t, `[${measures.map((measure) => `<</BBox[0 0 1 1]/Measure ${measure}>>`).join('')}]`).map(
      ({ measure }) => measure?.subtype,
    ),
    ['geospatial', 'unknown', 'unknown', 'rectilinear', undefined],
  )
})

t.test('a viewport created by setScale is marked as owned', async (t) => {
  t.same(viewportsOf(t, '[<</BBox[0 0 1 1]/STWD_Scale true>>]')[0]?.owned, true)
})

t.test('invalid values have defaults, and invalid viewports are omitted', async (t) => {
  const format = '<</U 7/C -1/F/toString/D 0/FD 3/RT 5/O/X>>'
  const measure = `<</Subtype/RL/R 3/X[${format} 9]/D(x)/A<<>>/O[1]/CYX 0>>`
  t.same(viewportsOf(t, `[null(odd)<</BBox(none)/Name 4/Measure ${measure}>> 9]`), [
    {
      bbox: { x: -20, y: 580, width: 0, height: 0 },
      measure: { subtype: 'rectilinear', x: [{ unit: '', conversion: 1 }], distance: [], area: [] },
      owned: false,
    },
  ])
  t.same(viewportsOf(t, '7'), [])
  t.equal(viewportsOf(t, `[${'<<>>'.repeat(5_000)}]`).length, 1_000, 'number of viewports is limited')
  t.throws(() => readsOf(t, annotatedPdf({})).viewports(99), { code: 'NotFound' })
})
