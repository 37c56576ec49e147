//! Options of engines that are not supported, listed so that jobs with them get an explanation.

use super::kind::OptionKind;
use super::row::rows;
use cardiograph_core::{Message, message};

const WHY: &Message = &message!("jobs-option.foreign");

const NET: [&str; 2] = ["net", "netsplice"];
const PORT: OptionKind = OptionKind::Count { min: 1, max: 65_535 };
const PROTECTION: [&str; 3] = ["io_uring", "io_uring_cmd", "xnvme"];
const RPMA: [&str; 5] = [
    "librpma_apm",
    "librpma_apm_client",
    "librpma_apm_server",
    "librpma_gpspm_client",
    "librpma_gpspm_server",
];

/// Writes the rows: engines that have the option, followed by its names.
macro_rules! foreign {
    ($($engines:tt $name:literal $(| $alias:literal)*: $kind:expr, $default:literal, $help:literal;)*) => {
        rows! {
            "Engines that are not here";
            $(refused(WHY) $name $(| $alias)*: $kind, $default, $help, engines: &$engines;)*
        }
    };
}

foreign! {
    // NVMe and SCSI commands.
    ["io_uring", "io_uring_cmd"] "cmd_type": Word(&["nvme"]), "nvme", "Kind of the commands.";
    ["io_uring_cmd"] "write_mode": Word(&["write", "uncor", "zeroes", "verify"]), "write",
        "Which command a write is.";
    ["io_uring_cmd"] "verify_mode": Word(&["read", "compare"]), "read", "Which command a check is.";
    ["io_uring_cmd"] "deac": Switch, "0", "Deallocate what is written as zeros.";
    ["sg", "io_uring_cmd"] "readfua": Switch, "0", "Read from the medium, past the drive's cache.";
    ["sg", "io_uring_cmd"] "writefua": Switch, "0", "Write to the medium, past the drive's cache.";
    PROTECTION "md_per_io_size": COUNT, "0", "Length of the buffer for separate metadata.";
    PROTECTION "pi_act": Switch, "1", "Let the drive handle protection information.";
    PROTECTION "pi_chk": Text, "", "Parts of the protection information that are checked.";
    PROTECTION "apptag": COUNT, "0x1234", "Application tag of the protection information.";
    PROTECTION "apptag_mask": COUNT, "0xffff", "Bits of that tag that count.";
    ["sg", "xnvme", "libblkio"] "hipri": Flag, "", "Ask the drive whether an I/O is complete.";
    ["sg"] "sg_write_mode":
        Word(&["write", "write_and_verify", "verify", "write_same", "same", "write_same_ndob",
            "verify_bytchk_00", "verify_bytchk_01", "verify_bytchk_11", "write_stream"]), "write",
        "Which command a write is.";
    ["sg"] "stream_id": COUNT, "0", "Stream that writes belong to.";
    ["xnvme"] "sqthread_poll": Flag, "", "Let a thread of the kernel take the requests.";
    ["xnvme"] "xnvme_async":
        Word(&["emu", "thrpool", "io_uring", "io_uring_cmd", "libaio", "posix", "vfio", "nil"]), "",
        "Interface for many I/Os at once.";
    ["xnvme"] "xnvme_sync": Word(&["nvme", "psync", "block"]), "", "Interface for one I/O after the other.";
    ["xnvme"] "xnvme_admin": Word(&["nvme", "block"]), "", "Interface for administration.";
    ["xnvme"] "xnvme_dev_nsid": COUNT, "", "Namespace of the drive.";
    ["xnvme"] "xnvme_dev_subnqn": Text, "", "Name of the subsystem over fabrics.";
    ["xnvme"] "xnvme_mem": Word(&["posix", "hugepage", "spdk", "vfio"]), "",
        "Where the memory of buffers comes from.";
    ["xnvme"] "xnvme_iovec": Flag, "", "Use requests with a list of buffers.";
    ["libblkio"] "libblkio_driver": Text, "", "Driver of libblkio.";
    ["libblkio"] "libblkio_path": Text, "", "Path that the driver opens.";
    ["libblkio"] "libblkio_pre_connect_props": Text, "", "Properties that are set before connecting.";
    ["libblkio"] "libblkio_num_entries": COUNT, "", "Entries of the driver's queue.";
    ["libblkio"] "libblkio_queue_size": COUNT, "", "Length of the driver's queue.";
    ["libblkio"] "libblkio_pre_start_props": Text, "", "Properties that are set before starting.";
    ["libblkio"] "libblkio_vectored": Flag, "", "Use requests with a list of buffers.";
    ["libblkio"] "libblkio_write_zeroes_on_trim": Flag, "", "Write zeros instead of trimming.";
    ["libblkio"] "libblkio_wait_mode": Word(&["block", "eventfd", "loop"]), "block",
        "How completions are waited for.";
    ["libblkio"] "libblkio_force_enable_completion_eventfd": Flag, "", "Signal completions by an eventfd.";
    ["mtd"] "skip_bad": Switch, "0", "Leave out blocks that are known to be bad.";
    // Memory and processors.
    ["cpuio"] "cpuload": COUNT, "", "Share of a CPU to keep busy, in percent.";
    ["cpuio"] "cpuchunks": COUNT, "50000", "Length of a busy spell, in microseconds.";
    ["cpuio"] "cpumode": Word(&["noop", "qsort"]), "noop", "What keeps the CPU busy.";
    ["cpuio"] "exit_on_io_done": Switch, "0", "End when the jobs that do I/O have ended.";
    ["exec"] "program": Text, "", "Program to run.";
    ["exec"] "arguments": Text, "", "Arguments of that program.";
    ["exec"] "grace_time": COUNT, "1", "Time from asking it to end to ending it, in seconds.";
    ["exec"] "std_redirect": Switch, "1", "Keep its output in files.";
    ["e4defrag"] "donorname": Text, "", "File that gives its blocks.";
    ["e4defrag"] "inplace": Count { min: 0, max: 1 }, "", "Allocate those blocks during the I/O.";
    // Networks.
    ["net", "netsplice", "rdma"] "hostname": Text, "", "Host to connect to.";
    ["net", "netsplice", "rdma", "libhdfs"] "port": PORT, "", "Port to connect to.";
    NET "protocol" | "proto": Word(&["tcp", "tcpv6", "udp", "udpv6", "unix", "vsock"]), "tcp",
        "Protocol of the connection.";
    NET "nodelay": Switch, "", "Send small packets at once.";
    NET "listen": Flag, "", "Wait for connections instead of making one.";
    NET "pingpong": Flag, "", "Answer each message.";
    NET "interface": Text, "", "Interface for multicast.";
    NET "ttl": COUNT, "1", "Hops that multicast packets may make.";
    NET "window_size": COUNT, "", "Length of the socket's buffer.";
    NET "mss": COUNT, "", "Longest segment of TCP.";
    ["rdma"] "bindname": Text, "", "Local name to bind to.";
    ["rdma"] "verb" | "proto": Word(&["write", "read", "send", "recv"]), "write", "Operation of RDMA.";
    RPMA "serverip": Text, "", "Address of the server.";
    RPMA "port": PORT, "", "Port of the server.";
    RPMA "direct_write_to_pmem": Switch, "", "Whether the server's memory can be written directly.";
    RPMA "busy_wait_polling": Switch, "1", "Whether the server waits busily.";
    // Storage over networks.
    ["rados", "rbd"] "clustername": Text, "", "Name of the cluster.";
    ["rados", "rbd", "dfs"] "pool": Text, "", "Name of the pool.";
    ["rados", "rbd"] "clientname": Text, "", "User of the cluster.";
    ["rados", "rbd"] "busy_poll": Switch, "0", "Ask for completions instead of waiting.";
    ["rados"] "conf": Text, "/etc/ceph/ceph.conf", "The cluster's configuration.";
    ["rados"] "touch_objects": Switch, "1", "Make the objects first.";
    ["rbd"] "rbdname": Text, "", "Name of the image.";
    ["gfapi", "gfapi_async"] "volume": Text, "", "Name of the volume.";
    ["gfapi", "gfapi_async"] "brick": Text, "", "Host of the volume.";
    ["gfapi", "gfapi_async", "libhdfs"] "single-instance": Switch, "", "Use one connection for all jobs.";
    ["http"] "http_host": Text, "localhost", "Host of the service.";
    ["http"] "http_user": Text, "", "User of the service.";
    ["http"] "http_pass": Text, "", "Password of that user.";
    ["http"] "https": Word(&["off", "on", "insecure"]), "off", "Whether the connection is encrypted.";
    ["http"] "http_mode": Word(&["webdav", "swift", "s3"]), "webdav", "Kind of the service.";
    ["http"] "http_object_mode": Word(&["block", "range"]), "block",
        "Whether each block is an object or a part of one.";
    ["http"] "http_s3_region": Text, "us-east-1", "Region of the service.";
    ["http"] "http_s3_key": Text, "", "Secret key.";
    ["http"] "http_s3_keyid": Text, "", "Name of that key.";
    ["http"] "http_s3_security_token": Text, "", "Temporary token.";
    ["http"] "http_s3_sse_customer_key": Text, "", "Key of the encryption.";
    ["http"] "http_s3_sse_customer_algorithm": Text, "AES256", "Algorithm of the encryption.";
    ["http"] "http_s3_storage_class": Text, "STANDARD", "Class of the storage.";
    ["http"] "http_swift_auth_token": Text, "", "Token of Swift.";
    ["http"] "http_verbose": COUNT, "0", "Verbosity of libcurl.";
    ["nfs"] "nfs_url": Text, "", "Address of the export.";
    ["nbd"] "uri": Text, "", "Address of the device.";
    ["libiscsi"] "initiator": Text, "", "Name of the initiator.";
    ["libhdfs"] "namenode": Text, "", "Host of the name node.";
    ["libhdfs"] "hdfsdirectory": Text, "", "Directory for the chunks.";
    ["libhdfs", "dfs"] "chunk_size": COUNT, "", "Length of a chunk.";
    ["libhdfs"] "hdfs_use_direct": Switch, "0", "Read past the cache.";
    ["dfs"] "cont": Text, "", "Container to open.";
    ["dfs"] "object_class": Text, "", "Class of objects.";
    ["libcufile"] "gpu_dev_ids": Text, "", "Graphics cards to use.";
    ["libcufile"] "cuda_io": Word(&["cufile", "posix"]), "cufile", "How data reaches a graphics card.";
}
