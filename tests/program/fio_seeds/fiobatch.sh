#!/bin/sh
echo "job, bandwidth, iops"
fio --section=seqread  --minimal fio.job |  awk -F';' '{print "seqread, " $7 ", " $8}'
rm -f seqread.*.0
fio --section=seqwrite  --minimal fio.job |  awk -F';' '{print "seqwrite, " $48 ", " $49}'
rm -f seqwrite.*.0
fio --section=seqread4 --minimal fio.job |  awk -F';' '{print "seqread4, " $7 ", " $8}'
rm -f seqread4.*.0
fio --section=seqwrite4 --minimal fio.job |  awk -F';' '{print "seqwrite4, " $48 ", " $49}'
rm -f seqwrite4.*.0
fio --section=randread512k  --minimal fio.job |  awk -F';' '{print "randread512k, " $7 ", " $8}'
rm -f randread512k.*.0
fio --section=randwrite512k --minimal fio.job |  awk -F';' '{print "randwrite512k, " $48 ", " $49}'
rm -f randwrite512k.*.0
fio --section=randread4k  --minimal fio.job |  awk -F';' '{print "randread4k, " $7 ", " $8}'
rm -f randread4k.*.0
fio --section=randwrite4k --minimal fio.job |  awk -F';' '{print "randwrite4k, " $48 ", " $49}'
rm -f randwrite4k.*.0
fio --section=randread4k32  --minimal fio.job |  awk -F';' '{print "randread4k32, " $7 " ," $8}'
rm -f randread4k32.*.0
fio --section=randwrite4k32 --minimal fio.job |  awk -F';' '{print "randwrite4k32, " $48 ", " $49}'
rm -f randwrite4k32.*.0
