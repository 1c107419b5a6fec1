# Lists what is out of place in the annotations and the form of a PDF, one line each; nothing if all is well.
import sys
import pikepdf


def numbers(items):
    return [item.objgen[0] for item in items if item is not None]


def fields(root):
    found, seen, waiting = [], set(), list(root.get('/AcroForm', pikepdf.Dictionary()).get('/Fields', []))
    while waiting:
        field = waiting.pop()
        number = field.objgen[0]
        if number in seen and number > 0:
            yield field, 'is listed twice in the form'
            continue
        seen.add(number)
        yield field, None
        waiting.extend(field.get('/Kids', []))


pdf = pikepdf.open(sys.argv[1], password=sys.argv[2] if len(sys.argv) > 2 else '')
on_pages = {}
for page in pdf.pages:
    for annotation in page.obj.get('/Annots', []):
        number = annotation.objgen[0]
        if number == 0:
            continue
        if number in on_pages:
            print(number, 'is on pages twice')
        on_pages[number] = annotation
        if annotation.get('/Subtype') is None:
            print(number, 'on a page is no annotation')
in_form = set()
for field, problem in fields(pdf.Root):
    number = field.objgen[0]
    if problem:
        print(number, problem)
    in_form.add(number)
    if field.get('/Subtype') == '/Widget' and number > 0 and number not in on_pages:
        print(number, 'is a widget of the form on no page')
for number, annotation in on_pages.items():
    if annotation.get('/Subtype') == '/Widget' and number not in in_form:
        print(number, 'is a widget on a page and not in the form')
    if annotation.get('/Subtype') == '/Popup':
        parent = annotation.get('/Parent')
        if parent is not None and parent.objgen[0] > 0 and parent.objgen[0] not in on_pages:
            print(number, 'is a popup of an annotation on no page')
    for key in ('/IRT', '/Popup'):
        other = annotation.get(key)
        if other is not None and other.objgen[0] > 0 and other.objgen[0] not in on_pages:
            print(number, 'names by', key, 'an annotation on no page')
for field in pdf.Root.get('/AcroForm', pikepdf.Dictionary()).get('/CO', []):
    if field.objgen[0] not in in_form:
        print(field.objgen[0], 'is calculated and not in the form')
