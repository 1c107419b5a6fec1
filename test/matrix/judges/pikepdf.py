"""Answers one JSON line for every JSON line with the path of a PDF: what pikepdf finds in it."""
import json
import re
import sys

import pikepdf

REFERENCE = re.compile(r'"(\d+) (\d+) R"')
OBJECTS_MAX = 4000
PAGES_MAX = 400


def fields_of(pdf):
    found = {}

    def walk(field, prefix, depth, value):
        if depth > 20:
            return
        name = str(field.get('/T')) if '/T' in field else None
        path = prefix if name is None else (prefix + '.' + name if prefix else name)
        value = field.get('/V', value)
        kids = [kid for kid in field.get('/Kids', []) if '/T' in kid]
        if kids:
            for kid in kids:
                walk(kid, path, depth + 1, value)
        else:
            found[path] = None if value is None else text_of(value)

    form = pdf.Root.get('/AcroForm')
    if form is not None:
        for field in form.get('/Fields', []):
            walk(field, '', 0, None)
    return found


def text_of(value):
    if isinstance(value, pikepdf.Array):
        return [text_of(item) for item in value]
    if isinstance(value, pikepdf.Name):
        return bytes(value).hex() if False else str(value)
    if isinstance(value, pikepdf.Stream):
        return '(stream)'
    return str(value)


def examine(path, password):
    with pikepdf.open(path, password=password) as pdf:
        pages = len(pdf.pages)
        annotations = []
        for page in list(pdf.pages)[:PAGES_MAX]:
            try:
                annotations.append(len([one for one in page.get('/Annots', []) if one is not None]))
            except Exception:
                annotations.append(-1)
        numbers, referenced, bad, whole = set(), set(), [], len(pdf.objects) <= OBJECTS_MAX
        if whole:
            for one in pdf.objects:
                numbers.add(one.objgen[0])
                try:
                    text = one.to_json(dereference=False).decode('latin1')
                    referenced.update(int(number) for number, _ in REFERENCE.findall(text))
                except Exception as problem:
                    bad.append('%d: %s' % (one.objgen[0], problem))
                if isinstance(one, pikepdf.Stream):
                    bad += bad_stream(one)
        title = pdf.docinfo.get('/Title') if '/Info' in pdf.trailer else None
        try:
            fields = fields_of(pdf)
        except Exception as problem:
            fields = {'(unreadable)': str(problem)}
        return {
            'pages': pages,
            'annotations': annotations,
            'fields': fields,
            'dangling': sorted(referenced - numbers),
            'bad': bad,
            'title': None if title is None else str(title),
        }


def bad_stream(one):
    try:
        if one.get('/Subtype') == '/Image' and int(one.get('/Length', 0)) > 200000:
            one.read_raw_bytes()
        else:
            one.get_stream_buffer(decode_level=pikepdf.StreamDecodeLevel.specialized)
        return []
    except Exception as problem:
        return ['%d: %s' % (one.objgen[0], problem)]


for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = examine(request['path'], request['password'])
    except Exception as problem:
        answer = {'error': '%s: %s' % (type(problem).__name__, problem)}
    print(json.dumps({'id': request['id'], **answer}), flush=True)
