#!/bin/busybox sh
# The first process of the rig's guest: loads the modules, runs the scenes, reports what they said, and switches off.
# A line of the report is one of: `setup NAME`, `probe NAME`, `o OUTPUT`, `e ERROR OUTPUT`, `left FILE`, `exit CODE`.

/bin/busybox --install -s 2>/dev/null
export PATH=/rig/bin:/bin:/sbin:/usr/bin:/usr/sbin HOME=/root
# No udev runs here: dmsetup makes the nodes itself.
export DM_DISABLE_UDEV=1
mkdir -p /proc /sys /dev /tmp /mnt /root /run
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp

missing=
while read -r module parameters; do
    # shellcheck disable=SC2086
    insmod "/rig/modules/$module" $parameters || missing="$missing $module"
done </rig/modules/order

# The port by which the report leaves. It is not the console, so that the kernel's messages do not fall into it.
port=
for attempt in 1 2 3 4 5 6 7 8 9 10; do
    for name in /sys/class/virtio-ports/*/name; do
        [ "$(cat "$name" 2>/dev/null)" = rig ] && port=/dev/$(basename "$(dirname "$name")")
    done
    [ -n "$port" ] && break
    sleep 1
done
if [ -z "$port" ]; then
    echo "rig: no port for the report (attempt $attempt)"
    poweroff -f
fi
exec 3>"$port"

# The disk whose serial number or model is the words given.
disk() {
    for block in /sys/block/*; do
        for attribute in serial device/serial device/model; do
            if [ "$(sed 's/ *$//' "$block/$attribute" 2>/dev/null)" = "$*" ]; then
                echo "/dev/${block##*/}"
                return
            fi
        done
    done
    return 1
}

# Runs a script of a scene and reports it.
report() {
    echo "$1 $2" >&3
    find /mnt -type f 2>/dev/null | sort >/tmp/before
    timeout 150 sh -c ". /rig/disks; . '$3'" >/tmp/out 2>/tmp/err </dev/null
    code=$?
    sed 's/^/o /' /tmp/out >&3
    sed 's/^/e /' /tmp/err >&3
    if [ "$1" = probe ]; then
        find /mnt -type f | sort >/tmp/after
        diff /tmp/before /tmp/after | sed -n 's/^+\//left \//p' >&3
    fi
    echo "exit $code" >&3
    return $code
}

# Disks behind USB come when they come.
for attempt in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    lacking=
    : >/rig/disks
    while read -r name mark; do
        if path=$(disk "$mark"); then echo "$name=$path" >>/rig/disks; else lacking="$lacking $name"; fi
    done </rig/marks
    [ -b /dev/mmcblk0p1 ] || lacking="$lacking card"
    [ -z "$lacking" ] && break
    sleep 1
done
{
    echo 'setup machine'
    [ -z "$missing" ] || echo "e modules that were not loaded:$missing"
    [ -z "$lacking" ] || echo "e disks that did not come:$lacking"
    if [ -n "$missing$lacking" ]; then echo 'exit 1'; else echo 'exit 0'; fi
} >&3

for scene in /rig/scenes/*; do
    name=$(cat "$scene/name")
    if report setup "$name" "$scene/set_up"; then
        for probe in "$scene"/probe-*; do
            report probe "$name/${probe##*/probe-??-}" "$probe"
        done
    fi
    sh -c ". /rig/disks; . '$scene/tear_down'" >/dev/null 2>/tmp/err || sed "s/^/rig: $name: tear down: /" /tmp/err
done
echo 'end' >&3
sync
poweroff -f
