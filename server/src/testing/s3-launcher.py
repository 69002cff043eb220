# Runs the Swift servers that together serve S3, as children that end with this process. Swift looks for its main
# file only in /etc, so this gives its modules the path of ours before they read it.
import ctypes
import json
import os
import signal
import sys

with open(sys.argv[1]) as file:
    settings = json.load(file)
folder, user, secret = settings['folder'], settings['user'], settings['secret']
ports = settings['ports']

import swift.common.utils as utils

utils.SWIFT_CONF_FILE = os.path.join(folder, 'swift.conf')
from swift.common.ring import RingBuilder
from swift.common.wsgi import run_wsgi


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, 'w') as file:
        file.write(text)
    return path


write('swift.conf', '[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n')
os.makedirs(os.path.join(folder, 'devices', 'd1'), exist_ok=True)
COMMON = f'[DEFAULT]\nbind_ip = 127.0.0.1\nswift_dir = {folder}\ndevices = {folder}/devices\nmount_check = false\nworkers = 0\nlog_level = WARNING\nlog_address = /nowhere\nfallocate_reserve = 0\n'
confs = {}
for kind in ('account', 'container', 'object'):
    builder = RingBuilder(1, 1, 1)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'ip': '127.0.0.1', 'port': ports[kind], 'device': 'd1'})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, f'{kind}.ring.gz'))
    confs[kind] = write(f'{kind}.conf', COMMON + f'bind_port = {ports[kind]}\n[pipeline:main]\npipeline = {kind}-server\n[app:{kind}-server]\nuse = egg:swift#{kind}\n')
confs['proxy'] = write('proxy.conf', COMMON + f'''bind_port = {ports['proxy']}
[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats cache bulk s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_{user} = {secret} .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
check_bucket_owner = false
min_segment_size = 1
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:{ports['memcached']}
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
''')

children = []
pid = os.fork()
if pid == 0:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    os.execvp('memcached', ['memcached', '-l', '127.0.0.1', '-p', str(ports['memcached']), '-U', '0', '-m', '16'])
children.append(pid)
for kind, conf in confs.items():
    pid = os.fork()
    if pid == 0:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        sys.argv = [f'swift-{kind}-server', conf]
        sys.exit(run_wsgi(conf, f'{kind}-server'))
    children.append(pid)

def stop(*_):
    for pid in children:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    os._exit(0)

signal.signal(signal.SIGTERM, stop)
signal.signal(signal.SIGINT, stop)
os.wait()
stop()
